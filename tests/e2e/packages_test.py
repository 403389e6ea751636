"""Jobs with packages and with output folders in buckets, with the real binary."""

import glob
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

PYTHON = "/usr/bin/python3"

SETUP = """
from setuptools import setup
{before}
setup(name="trainer", version="0.1", packages=["trainer"], install_requires={requires})
"""

# Writes what it sees into its job-dir, and x as the metric.
TASK = """
import argparse, json, os, sys
parser = argparse.ArgumentParser()
parser.add_argument("--job-dir")
parser.add_argument("--x", type=float, default=0.5)
arguments = parser.parse_args()
seen = {"argv": sys.argv[1:], "file": os.path.abspath(__file__),
        "python": sys.executable, "prefix": sys.prefix,
        "model_dir": os.environ["AIP_MODEL_DIR"]}
if not arguments.job_dir.startswith("gs://"):
    with open(os.path.join(arguments.job_dir, "seen.json"), "w") as file:
        json.dump(seen, file)
print("saw " + json.dumps(seen))
metric = os.environ.get("CLOUD_ML_HP_METRIC_FILE")
if metric:
    with open(metric, "w") as file:
        json.dump({"global_step": "1", "loss": str(arguments.x), "timestamp": 1.5,
                   "trial": "1"}, file)
        file.write("\\n")
"""

TUNING = """
trainingInput:
  packageUris: [{package}]
  pythonModule: trainer.task
  pythonVersion: "3.11"
  jobDir: {job_dir}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 3
    maxParallelTrials: 3
    maxFailedTrials: 3
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  algorithm: RANDOM_SEARCH
  environment: {{PIP_NO_INDEX: "1"}}
"""

PLAIN = """
trainingInput:
  packageUris: [{package}]
  pythonModule: trainer.task
  pythonVersion: "3.11"
  jobDir: {job_dir}
vernier:
  jobDirForm: {form}
  environment: {{PIP_NO_INDEX: "1"}}
"""


def make_sdist(path, requires=(), before="", task=TASK):
    """Writes an sdist of the package trainer, as gcloud and setuptools make it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    files = {
        "setup.py": SETUP.format(requires=list(requires), before=before),
        "trainer/__init__.py": "",
        "trainer/task.py": task,
        "PKG-INFO": "Metadata-Version: 1.0\nName: trainer\nVersion: 0.1\n",
    }
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo("trainer-0.1/" + name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


# What an environment has beside plain modules: an editable install, and a hook
# that its .pth file starts.
LIBRARY = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "editable-library"
version = "0.1"
[tool.setuptools]
packages = ["editable_library"]
package-dir = {"" = "src"}
"""

HOOK = """
import sys, types
def start():
    sys.modules["made_by_a_hook"] = types.SimpleNamespace(ANSWER=42)
"""


def make_runtime(folder):
    """An environment with an editable install and a .pth file with code; returns
    its Python and the folder of the library's source."""
    environment, library = os.path.join(folder, "runtime"), os.path.join(folder, "library")
    subprocess.run([PYTHON, "-m", "venv", "--system-site-packages", environment], check=True)
    python = os.path.join(environment, "bin", "python3")
    files = {os.path.join(library, "pyproject.toml"): LIBRARY,
             os.path.join(library, "src/editable_library/__init__.py"): "ANSWER = 42\n"}
    packages = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True).stdout.strip()
    files[os.path.join(packages, "hook_module.py")] = HOOK
    files[os.path.join(packages, "hook.pth")] = "import hook_module; hook_module.start()\n"
    for path, text in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index",
                    "--no-build-isolation", "--editable", library], check=True)
    return python, os.path.join(library, "src")


def has_pip():
    probe = [PYTHON, "-c", "import setuptools, pip, venv, wheel"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


@unittest.skipUnless(has_pip(), "python3-pip and python3-venv are not installed")
class PackagesTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service("--python", "3.11=" + PYTHON))
        self.bucket = os.path.join(self.service.data, "buckets", "models")

    def finish(self, name="job"):
        return self.service.wait_state(name, "SUCCEEDED", "FAILED")

    def seen(self, *path):
        with open(os.path.join(self.bucket, *path, "seen.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_trials_run_from_a_package_in_a_bucket(self):
        make_sdist(os.path.join(self.bucket, "job", "abc", "trainer-0.1.tar.gz"))
        self.service.submit("job", TUNING.format(
            package="gs://models/job/abc/trainer-0.1.tar.gz", job_dir="gs://models/out"))
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["vernier"]["pythonInterpreter"], PYTHON)
        self.assertNotIn("ignoredFields", job["vernier"])
        environments = set()
        for trial in "123":
            seen = self.seen("out", trial)
            self.assertIn(os.path.join(self.bucket, "out", trial), seen["argv"])
            self.assertEqual(seen["model_dir"],
                             os.path.join(self.bucket, "out", trial, "model/"))
            environments.add(seen["prefix"])
        # One installation for all.
        self.assertEqual(len(environments), 1)
        self.assertIn("/packages/environment", environments.pop())

    def test_a_program_sees_the_uri_where_the_job_asks_for_it(self):
        package = make_sdist(os.path.join(self.service.home, "p", "trainer-0.1.tar.gz"))
        self.service.submit("job", PLAIN.format(package=package, form="URI",
                                                job_dir="gs://fresh-bucket/out"))
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        log = self.service.cli("trials", "logs", "job").stdout
        self.assertIn('"--job-dir", "gs://fresh-bucket/out"', log)

    def test_packages_see_editable_installs_and_hooks_of_the_runtime(self):
        python, source = make_runtime(self.service.home)
        self.service.kill()
        self.service.flags = ("--runtime", "2.11=" + python)
        self.service.start()
        checks = "import editable_library, made_by_a_hook\n" \
                 "print('found', editable_library.__file__, made_by_a_hook.ANSWER)"
        package = make_sdist(os.path.join(self.service.home, "p", "trainer-0.1.tar.gz"),
                             task=checks)
        self.service.submit("job", f"""
trainingInput:
  packageUris: [{package}]
  pythonModule: trainer.task
  runtimeVersion: "2.11"
vernier: {{environment: {{PIP_NO_INDEX: "1"}}}}
""")
        job = self.finish()
        log = self.service.cli("trials", "logs", "job").stdout
        self.assertEqual(job["state"], "SUCCEEDED", log)
        self.assertIn(f"found {source}/editable_library/__init__.py 42", log)

    def test_an_installation_survives_a_kill_of_the_service(self):
        gate = os.path.join(self.service.home, "gate")
        waits = f"import os, time\nwhile not os.path.exists({gate!r}): time.sleep(0.05)"
        package = make_sdist(os.path.join(self.service.home, "p", "trainer-0.1.tar.gz"),
                             before=waits)
        self.service.submit("job", TUNING.format(package=package,
                                                 job_dir="gs://models/out"))
        wait_for("the installation", lambda: "packages" in
                 self.service.job("job")["vernier"].get("waitingFor", ""))
        self.service.kill()
        self.service.start()
        with open(gate, "w", encoding="utf-8"):
            pass
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))

    def test_an_installation_ends_with_its_job(self):
        package = make_sdist(os.path.join(self.service.home, "p", "trainer-0.1.tar.gz"),
                             before="import time; time.sleep(600)")
        self.service.submit("job", TUNING.format(package=package,
                                                 job_dir="gs://models/out"))
        wait_for("the installation", lambda: "packages" in
                 self.service.job("job")["vernier"].get("waitingFor", ""))
        started = time.monotonic()
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")
        self.assertLess(time.monotonic() - started, 60)

    def test_a_failing_installation_fails_the_job_with_its_last_lines(self):
        package = make_sdist(os.path.join(self.service.home, "p", "trainer-0.1.tar.gz"),
                             before="raise SystemExit('broken on purpose')")
        self.service.submit("job", TUNING.format(package=package,
                                                 job_dir="gs://models/out"))
        job = self.finish()
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("packages of packageUris could not be installed",
                      job["errorMessage"])
        self.assertIn("broken on purpose", job["errorMessage"])

    def test_a_dependency_that_cannot_be_had_is_named(self):
        package = make_sdist(os.path.join(self.service.home, "p", "trainer-0.1.tar.gz"),
                             requires=["a-package-that-is-nowhere"])
        self.service.submit("job", TUNING.format(package=package,
                                                 job_dir="gs://models/out"))
        job = self.finish()
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("a-package-that-is-nowhere", job["errorMessage"])

    def refused(self, package, *args, job_dir="gs://models/out"):
        config = self.service.write("refused.yaml", TUNING.format(
            package=package, job_dir=job_dir))
        result = self.service.cli("jobs", "submit", "training", "refused", "--config",
                                  config, *args, check=False)
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertEqual([job["jobId"] for job in self.service.jobs()], [])
        return result.stderr

    def test_a_package_that_is_not_in_its_bucket_is_refused(self):
        self.assertIn("trainingInput.packageUris: gs://models/gone.tar.gz: "
                      "The specified bucket does not exist: models",
                      self.refused("gs://models/gone.tar.gz"))
        self.service.cli("buckets", "create", "models")
        self.assertIn("No such object: models/gone.tar.gz",
                      self.refused("gs://models/gone.tar.gz"))

    def test_buckets_are_their_projects(self):
        make_sdist(os.path.join(self.bucket, "trainer-0.1.tar.gz"))
        uri = "gs://models/trainer-0.1.tar.gz"
        # A folder that somebody made is the default project's.
        inside = ("--project", "p1")
        self.assertIn("The specified bucket does not exist: models",
                      self.refused(uri, *inside, job_dir="gs://p1-out/out"))
        self.service.cli("buckets", "share", "models", "--with", "p1")
        self.assertIn("trainingInput.jobDir: bucket models is lent to project p1 for "
                      "reading only", self.refused(uri, *inside))
        self.assertRegex(self.service.cli("buckets", "list").stdout,
                         r"models +default +p1 \(read\)")
        self.service.submit("job", TUNING.format(package=uri, job_dir="gs://p1-out/out"),
                            *inside)
        job = self.finish("job@p1")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(
            self.service.json("buckets", "describe", "p1-out")["project"], "p1")
        self.service.cli("buckets", "move", "p1-out", "--to", "p2")
        hidden = self.service.cli("buckets", "describe", "p1-out", *inside, check=False)
        self.assertEqual(hidden.returncode, 3, hidden.stderr)

    def test_what_is_installed_is_what_was_submitted(self):
        package = os.path.join(self.bucket, "trainer-0.1.tar.gz")
        make_sdist(package)
        with open(package, "rb") as file:
            sha256 = hashlib.sha256(file.read()).hexdigest()
        uri = "gs://models/trainer-0.1.tar.gz"
        # Waits for a GPU that another job has, while somebody changes the object.
        self.service.stop()
        self.service.flags += ("--gpus", "fake:1")
        self.service.start()
        program = self.service.write_gated_program()
        self.service.submit("first", "trainingInput: {region: here}\n"
                            "vernier: {command: [%s], gpusPerReplica: 1}" % program)
        self.service.wait_state("first", "RUNNING")
        self.service.submit("job", TUNING.format(package=uri, job_dir="gs://models/out")
                            + "  gpusPerReplica: 1\n")
        self.assertEqual(self.service.job("job")["vernier"]["packageSha256"],
                         {uri: sha256})
        make_sdist(package, before="raise SystemExit('mallory was here')")
        self.service.write("go", "")
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))

    def test_a_copy_that_was_changed_is_not_installed(self):
        package = make_sdist(os.path.join(self.service.home, "trainer-0.1.tar.gz"))
        self.service.stop()
        self.service.flags += ("--gpus", "fake:1")
        self.service.start()
        program = self.service.write_gated_program()
        self.service.submit("first", "trainingInput: {region: here}\n"
                            "vernier: {command: [%s], gpusPerReplica: 1}" % program)
        self.service.wait_state("first", "RUNNING")
        self.service.submit("job", TUNING.format(package=package, job_dir="gs://models/out")
                            + "  gpusPerReplica: 1\n")
        pinned = glob.glob(os.path.join(self.service.data, "runs", "*",
                                        "pinned-packages", "*", "trainer-0.1.tar.gz"))
        self.assertEqual(len(pinned), 1)
        make_sdist(pinned[0], before="raise SystemExit('mallory was here')")
        self.service.write("go", "")
        job = self.finish()
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("is not what it was when the job was submitted", job["errorMessage"])
        self.assertNotIn("mallory", self.service.log())


if __name__ == "__main__":
    unittest.main()
