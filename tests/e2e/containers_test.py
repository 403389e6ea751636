"""Jobs whose replicas run in containers of a real podman, with an image that the
test makes of this machine's own files. Skipped where podman cannot run one."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from containers import make_image, podman, works  # noqa: E402
from service import ROOT, Service, processes_with, wait_for  # noqa: E402

NAME = f"localhost/vernier-e2e-{os.getpid()}"

# Says what it sees, reports x as the loss, and leaves a file in the job dir.
PROGRAM = """
import json, os, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
spec = json.loads(os.environ["CLUSTER_SPEC"])
task = spec["task"]
print("saw", json.dumps({
    "argv": sys.argv[1:], "task": task["type"], "roles": sorted(spec["cluster"]),
    "tf": json.loads(os.environ["TF_CONFIG"])["task"]["type"],
    "secret": os.environ.get("MY_SECRET"), "lines": os.environ.get("LINES_"),
    "home": os.environ.get("HOME"), "host_file": os.path.exists("@HOST@")}))
if task["type"] == "master":
    with open(os.environ["CLOUD_ML_HP_METRIC_FILE"], "w") as file:
        file.write(json.dumps({"global_step": "1", "loss": words["--x"],
                               "timestamp": 1.5, "trial": "1"}) + "\\n")
    with open(words["--job-dir"] + "/model", "w") as file:
        file.write("trained")
"""

TUNING = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  workerType: standard
  workerCount: 1
  masterConfig: {imageUri: "%(image)s"}
  jobDir: %(job_dir)s
  args: [--data, "gs://sets/numbers"]
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 2
    params:
    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}
vernier:
  environment: {LINES_: "one\\ntwo", HOME: /nowhere}
"""

# Fails by hand, lest an exit status be lost on the way.
BY_HAND = """
trainingInput:
  masterConfig:
    imageUri: "%(image)s"
    containerCommand:
    - python3
    - -c
    - |
      import json, os, sys
      job_dir = sys.argv[-1]
      mark = os.path.join(job_dir, "mark")
      attempt = os.environ.get("VERNIER_ATTEMPT")
      if attempt:
          open(mark, "w").write("made by the attempt")
      print("saw", json.dumps({
          "argv": sys.argv[1:], "cwd": os.getcwd(), "uid": os.getuid(),
          "secrets": [os.environ.get("MY_SECRET"), os.environ.get("GO_SECRET")],
          "lines": os.environ["LINES_"], "trial": os.environ["CLOUD_ML_TRIAL_ID"],
          "mark": open(mark).read(), "attempt": attempt}), flush=True)
      with open(os.environ["VERNIER_METRICS"], "a") as file:
          file.write('{"step": 1, "loss": 0.5}\\n')
      sys.exit(0 if attempt else 7)
  jobDir: %(job_dir)s
  args: ["it's a", "two  words"]
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 1
    params:
    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}
vernier:
  environment: {LINES_: "one\\ntwo", HOME: /nowhere}
"""

SIMPLE = """
trainingInput:
  masterConfig: {imageUri: "%(image)s", containerCommand: %(command)s}
vernier: {killGrace: 20s}
"""


class ContainersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not works():
            raise unittest.SkipTest("podman is not installed or does not work")
        cls.folder = tempfile.TemporaryDirectory()
        program = os.path.join(cls.folder.name, "trainer.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM.replace("@HOST@", os.path.abspath(__file__)))
        made = make_image(NAME, "--entrypoint", '["python3", "/trainer.py"]',
                          program + ":/trainer.py")
        if made.returncode != 0:
            raise AssertionError(f"podman cannot import an image: {made.stderr[-300:]}")
        cls.addClassCleanup(podman, "image", "rm", "--force", NAME)
        cls.addClassCleanup(cls.folder.cleanup)

    def setUp(self):
        self.service = Service("--container-engine", "podman")
        self.service.__enter__()
        self.addCleanup(self.service.__exit__, None, None, None)

    def finish(self, name):
        job = self.service.wait_state(name, "SUCCEEDED", "FAILED", "CANCELLED")
        if "no container engine works" in job.get("errorMessage", ""):
            self.skipTest(job["errorMessage"])
        return job

    def nonces(self):
        import invariants
        return {a["nonce"] for a in invariants.read(self.service.data).attempts}

    def test_a_gang_runs_the_image_as_ai_platform_does(self):
        bucket = os.path.join(self.service.data, "buckets", "sets")
        job_dir = os.path.join(self.service.home, "out")
        self.service.write("secret.env", "MY_SECRET=hush\n", 0o600)
        self.service.submit("tune", TUNING % {"image": NAME, "job_dir": job_dir},
                            "--env-file", "secret.env")
        job = self.finish("tune")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "2")
        for trial in job["trainingOutput"]["trials"]:
            number, x = trial["trialId"], trial["hyperparameters"]["x"]
            self.assertEqual(float(x), trial["finalMetric"]["objectiveValue"])
            with open(os.path.join(job_dir, number, "model"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "trained")
        log = self.service.cli("trials", "logs", "tune", "1").stdout
        seen = [json.loads(line.split("saw ", 1)[1])
                for line in log.splitlines() if "saw " in line]
        master = next(one for one in seen if one["task"] == "master")
        self.assertEqual(master["roles"], ["master", "worker"])
        self.assertEqual(master["tf"], "master")
        self.assertEqual(master["argv"][:2], ["--data", "gs://sets/numbers"])
        self.assertEqual(master["argv"][-2:], ["--job-dir", f"{job_dir}/1"])
        self.assertEqual(master["secret"], "hush")
        self.assertEqual(master["lines"], "one\ntwo")
        self.assertEqual(master["home"], "/nowhere")
        self.assertFalse(master["host_file"], "it ran on the host")
        self.assertFalse(os.path.exists(bucket))
        self.assert_nothing_is_left()

    def assert_nothing_is_left(self):
        nonces = self.nonces()
        self.assertEqual(processes_with(nonces), [])
        names = podman("ps", "--all", "--format", "{{.Names}}").stdout
        for nonce in nonces:
            self.assertNotIn(nonce, names)
        conmon = subprocess.run(["pgrep", "-a", "conmon"], capture_output=True, text=True,
                                check=False).stdout
        for nonce in nonces:
            self.assertNotIn(nonce, conmon)

    def test_it_is_adopted_and_cancelled(self):
        # sleep does not handle SIGTERM; as the first process it would not end.
        self.service.submit("long", SIMPLE % {"image": NAME, "command": "[sleep, '1000']"})
        self.service.wait_state("long", "RUNNING")
        nonces = self.nonces()
        wait_for("the container", lambda: any(
            nonce in podman("ps", "--format", "{{.Names}}").stdout for nonce in nonces))
        self.service.kill()
        self.service.start()
        self.assertEqual(self.service.job("long")["state"], "RUNNING")
        self.service.cli("jobs", "cancel", "long")
        self.finish("long")
        self.assertEqual(len(self.nonces()), 1)
        self.assert_nothing_is_left()

    def test_an_unknown_image_fails_with_its_name(self):
        self.service.submit("none", SIMPLE % {
            "image": "localhost/vernier-no-such:1", "command": "[sh]"})
        job = self.finish("none")
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("localhost/vernier-no-such:1", job["errorMessage"])

    def test_a_program_that_the_image_lacks_is_named(self):
        self.service.submit("lacks", SIMPLE % {"image": NAME, "command": "[/no/such]"})
        job = self.finish("lacks")
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("could not be started", job["errorMessage"])

    def test_an_archive_is_loaded(self):
        archive = os.path.join(self.service.home, "image.tar")
        other = NAME + "-archive"
        self.assertEqual(podman("tag", NAME, other).returncode, 0)
        self.assertEqual(podman("save", "--output", archive, other).returncode, 0)
        podman("untag", NAME, other)
        self.addCleanup(podman, "image", "rm", "--force", other)
        self.service.submit("tar", SIMPLE % {
            "image": archive, "command": "[sh, -c, 'echo from an archive']"})
        job = self.finish("tar")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertIn("from an archive", self.service.cli("trials", "logs", "tar", "1").stdout)

    def test_memory_that_the_machine_type_lacks_is_told_apart(self):
        self.service.stop()
        self.service.flags += ("--container-limits",)
        self.service.start()
        hog = "[python3, -c, 'x = bytearray(3 << 29)']"
        self.service.submit("hog", (SIMPLE % {"image": NAME, "command": hog}).replace(
            "trainingInput:", "trainingInput:\n  scaleTier: CUSTOM\n"
            "  masterType: n1-custom-1-256"))
        job = self.finish("hog")
        self.assertEqual(job["state"], "FAILED")
        if "memory" in job["errorMessage"] and "cgroup" in job["errorMessage"]:
            self.skipTest(job["errorMessage"])
        self.assertIn("out-of-memory", job["errorMessage"])

    def test_a_command_line_shows_no_value(self):
        self.service.write("secret.env", "MY_SECRET=hush4711\n", 0o600)
        self.service.submit("quiet", SIMPLE % {"image": NAME, "command": "[sleep, '1000']"},
                            "--env-file", "secret.env")
        self.service.wait_state("quiet", "RUNNING")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    self.assertNotIn(b"hush4711", file.read())
            except OSError:
                continue
        found = subprocess.run(["grep", "-rl", "hush4711", self.service.data],
                               capture_output=True, text=True, check=False).stdout.split()
        self.assertEqual([path for path in found if "/secrets/" not in path], [])


    def test_a_trial_can_be_run_by_hand(self):
        # A name that begins so would be a setting of the engine itself.
        self.service.write("secret.env", "MY_SECRET='hush $x'\nGO_SECRET=hash\n", 0o600)
        self.service.submit("tune", BY_HAND % {
            "image": NAME, "job_dir": os.path.join(self.service.home, "out")},
            "--env-file", "secret.env")
        job = self.finish("tune")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        log = self.service.cli("trials", "logs", "tune", "1").stdout
        seen = json.loads(next(line for line in log.splitlines() if "saw " in line)
                          .split("saw ", 1)[1])
        measured = self.service.json("trials", "measurements", "tune", "1")
        # The name may have moved to another image since.
        self.addCleanup(podman, "tag", podman("images", "--quiet", NAME).stdout.strip(), NAME)
        podman("untag", NAME)
        answer = self.service.json("trials", "command", "tune", "1")
        line = answer["line"]
        self.assertTrue(line.startswith("(") and "podman" in line, line)
        self.assertEqual(answer.get("note", ""), "")
        for value in ("hush", "hash"):
            self.assertNotIn(value, line)
        done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True,
                              check=False, stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(done.returncode, 7, done.stdout + done.stderr)
        said = done.stdout.splitlines()
        again = json.loads(said[0].split("saw ", 1)[1])
        self.assertEqual(again["argv"], seen["argv"])
        self.assertEqual(again["secrets"], ["hush $x", "hash"])
        self.assertEqual(again["secrets"], seen["secrets"])
        for name in ("cwd", "uid", "mark", "lines", "trial"):
            self.assertEqual(again[name], seen[name], name)
        self.assertIsNotNone(seen["attempt"])
        self.assertIsNone(again["attempt"])
        # Its metric is for people.
        self.assertEqual(json.loads(said[1]), {"step": 1, "loss": 0.5})
        self.assertEqual(self.service.json("trials", "measurements", "tune", "1"), measured)
        self.assert_nothing_is_left()
        names = podman("ps", "--all", "--format", "{{.Image}}").stdout
        self.assertNotIn(NAME, names)

    def test_the_example_trains(self):
        name = NAME + "-example:1"
        self.addCleanup(podman, "image", "rm", "--force", name)
        example = os.path.join(ROOT, "examples", "containers")
        subprocess.run([os.path.join(example, "build_image"), name, "podman"], check=True,
                       capture_output=True)
        self.service.cli("jobs", "submit", "training", "example", "--config",
                         os.path.join(example, "config.yaml"), "--master-image-uri", name,
                         "--job-dir", os.path.join(self.service.home, "out"))
        job = self.finish("example")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "4")
        best = min(trial["finalMetric"]["objectiveValue"]
                   for trial in job["trainingOutput"]["trials"])
        self.assertLess(best, 5)
        self.assertIn("worker 1 took 30 steps",
                      self.service.cli("trials", "logs", "example", "1").stdout)

    def test_why_tells_how_far_a_pull_is(self):
        # A podman that is slow to pull; all else is the real one's.
        tools = os.path.join(self.service.home, "tools")
        os.mkdir(tools)
        go = os.path.join(self.service.home, "go")
        slow = self.service.write("tools/podman", f"""#!/bin/sh
case " $* " in *" pull "*)
  echo 'Copying blob 7 of 9'
  while [ ! -e {go} ]; do sleep 0.05; done
  echo 'Error: manifest unknown' >&2; exit 125;;
esac
exec {shutil.which("podman")} "$@"
""", 0o755)
        self.assertTrue(os.access(slow, os.X_OK))
        self.service.stop()
        before = os.environ["PATH"]
        os.environ["PATH"] = tools + ":" + before
        try:
            self.service.start()
        finally:
            os.environ["PATH"] = before
        self.service.submit("pull", SIMPLE % {
            "image": "registry.invalid/team/image:3", "command": "[sh]"})
        wanted = "pulling the image registry.invalid/team/image:3 (Copying blob 7 of 9)"
        wait_for("why to tell it", lambda: wanted in self.service.cli("why", "pull").stdout)
        self.assertIn(wanted, self.service.cli("why", "pull", "1").stdout)
        image = {"image": "registry.invalid/team/image:3", "command": "[sh]"}
        self.service.submit("second", SIMPLE % image)
        wait_for("the other to wait", lambda: "waiting for the image" in
                 self.service.cli("why", "second").stdout)
        for name in ("second", "pull"):
            self.service.cli("jobs", "cancel", name)
            self.assertEqual(self.finish(name)["state"], "CANCELLED")
        self.service.write("go", "")
        self.service.submit("third", SIMPLE % image)
        job = self.finish("third")
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("there is no such image", job["errorMessage"])


class WithoutEngineTest(unittest.TestCase):
    def test_nothing_runs_on_the_host(self):
        with Service("--container-engine", "none") as service:
            mark = os.path.join(service.home, "mark")
            service.submit("job", SIMPLE % {"image": "any:1", "command": f"[touch, {mark}]"})
            job = service.wait_state("job", "SUCCEEDED", "FAILED")
            self.assertEqual(job["state"], "FAILED")
            self.assertIn("this service runs no containers", job["errorMessage"])
            self.assertIn("any:1", job["errorMessage"])
            self.assertFalse(os.path.exists(mark))

    def test_a_module_beside_an_image_is_refused(self):
        with Service() as service:
            path = service.write("job.yaml", "trainingInput: {pythonModule: a.b, "
                                 "masterConfig: {imageUri: 'any:1'}}")
            done = service.cli("jobs", "submit", "training", "job", "--config", path,
                               check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("pythonModule", done.stderr)


if __name__ == "__main__":
    unittest.main()
