"""What the pages for users show is run here as it stands there."""

import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
import documented_page  # noqa: E402
from service import ROOT, Service, binary  # noqa: E402

# Each page of docs/ that has something to run.
PAGES = {"gcloud.md", "python-client.md", "buckets.md", "vizier.md", "suggest.md",
         "command-line.md", "python.md", "from-optuna.md", "first-study.md",
         "accuracy-and-latency.md", "distributed-pytorch.md", "from-ray-tune.md", "from-wandb.md",
         "from-ai-platform.md", "from-vertex-ai.md", "from-katib.md",
         "from-determined.md", "from-hydra.md", "foreign-files.md", "import.md"}
# Settings of whoever runs the tests, which a new user would not have.
FOREIGN = re.compile(r"VERNIER_|CLOUDSDK_|GOOGLE_|STORAGE_|XDG_|PYTHON")


def page(name):
    return os.path.join(ROOT, name)


class HomeService(Service):
    """A service where `vernier` looks for one when nothing is said."""

    def __init__(self):
        super().__init__()
        self.data = os.path.join(self.home, ".local/share/vernier")

    def link(self, name, target):
        """Has the user find `target` as `name`, before any other. Returns its folder."""
        folder = os.path.join(self.home, "bin")
        os.makedirs(folder, exist_ok=True)
        if not os.path.lexists(os.path.join(folder, name)):
            os.symlink(target, os.path.join(folder, name))
        return folder

    def environment(self, client=None):
        """That of a user who has `vernier` on PATH, and a client installed."""
        path = [self.link("vernier", binary())]
        if client is not None:
            path.append(os.path.dirname(clients.python(client)))
        kept = {name: value for name, value in os.environ.items()
                if not FOREIGN.match(name)}
        return {**kept, "HOME": self.home,
                "PATH": ":".join([*path, os.environ["PATH"]])}

    def folder(self):
        path = os.path.join(self.home, "work")
        os.makedirs(path, exist_ok=True)
        return path


def translated(spec):
    """A ParameterSpec of Vertex AI as the job file's."""
    kind = next(each for each in ("double", "integer", "discrete", "categorical")
                if each + "ValueSpec" in spec)
    values = spec[kind + "ValueSpec"]
    param = {"parameterName": spec["parameterId"], "type": kind.upper()}
    if "scaleType" in spec:
        param["scaleType"] = spec["scaleType"]
    for name, value in values.items():
        key = kind + "Values" if name == "values" else name
        # Vertex writes 64 bits as texts.
        param[key] = int(value) if kind == "integer" else value
    children = spec.get("conditionalParameterSpecs", [])
    if children:
        param["childParameterSpecs"] = [
            {**translated(child["parameterSpec"]),
             **{key: value for key, value in child.items() if key != "parameterSpec"}}
            for child in children]
    return param


class DocumentationTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(HomeService())

    def run_page(self, name, client=None, packages=None, tools=()):
        environment = self.service.environment(client)
        if packages is not None:
            environment["PYTHONPATH"] = ":".join(map(page, packages.split(":")))
        return documented_page.run(page(name), self.service.folder(), environment, tools)

    def need_gcloud(self):
        if shutil.which("gcloud") is None:
            self.skipTest("gcloud is not on PATH")

    def best(self, job):
        trials = self.service.job(job)["trainingOutput"]["trials"]
        return trials[0]["finalMetric"]["objectiveValue"]

    def test_every_page_with_something_to_run_is_run(self):
        marked = set()
        for name in filter(lambda each: each.endswith(".md"), os.listdir(page("docs"))):
            with open(os.path.join(page("docs"), name), encoding="utf-8") as file:
                if re.search(r"^<!-- run|^<!-- dialogue", file.read(), re.MULTILINE):
                    marked.add(name)
        self.assertEqual(marked, PAGES)

    def test_the_site_leads_to_every_page(self):
        with open(page("packaging/mkdocs.yml"), encoding="utf-8") as file:
            listed = set(re.findall(r": docs/(\S+)$", file.read(), re.MULTILINE))
        pages = {name for name in os.listdir(page("docs")) if name.endswith(".md")}
        # The first page says what docs/README.md does.
        self.assertEqual(pages - {"README.md"}, listed)

    def test_import(self):
        self.assertIn("0.42", self.run_page("docs/import.md")[-1])

    def test_gcloud(self):
        self.need_gcloud()
        self.run_page("docs/gcloud.md")
        self.assertGreater(self.best("digits"), 0.9)

    def test_the_readme(self):
        tools = () if shutil.which("gcloud") is None else ("gcloud",)
        # The job file and program of its last chapter are those of the longer page.
        documented_page.write_files(
            documented_page.blocks_of(page("docs/gcloud.md")), self.service.folder())
        printed = self.run_page("README.md", packages="python/src", tools=tools)
        self.assertIn("trial ", printed[0])  # The five lines of Python.
        self.assertEqual(self.service.job("hello")["vernier"]["maxTrials"], 30)
        for job in tools and ["digits"]:
            self.assertGreater(self.best(job), 0.9)

    def test_googles_api_client(self):
        printed = self.run_page("docs/python-client.md", client="google_api")
        self.assertIn("SUCCEEDED", "".join(printed))

    def test_cloud_storage(self):
        self.need_gcloud()
        self.run_page("docs/buckets.md", client="google_cloud_storage")

    def test_oss_vizier(self):
        printed = self.run_page("docs/vizier.md", client="vizier")
        self.assertIn("'layers': 3", "".join(printed).replace('"', "'"))

    def test_the_engine_by_itself(self):
        self.run_page("docs/suggest.md")

    def test_the_python_package(self):
        printed = self.run_page("docs/python.md", packages="python/src")
        self.assertIn("SUCCEEDED", "".join(printed))

    def test_a_script_from_optuna(self):
        printed = self.run_page("docs/from-optuna.md", client="optuna",
                                packages="python/src")
        changed, theirs, ours, sampled = printed
        self.assertIn("'optimizer': 'sgd'", changed)
        self.assertTrue(changed.endswith(" 20\n"), changed)
        self.assertIn("'optimizer': 'adam'", theirs)
        self.assertIn("'optimizer': 'adam'", ours)
        self.assertTrue(theirs.endswith(" 20\n"), theirs)
        self.assertTrue(ours.endswith(" 20\n"), ours)
        self.assertIn("'optimizer': 'adam'", sampled)
        self.assertTrue(sampled.endswith(" 20\n"), sampled)

    def need_torch(self):
        self.service.link("python3", "/usr/bin/python3")
        if subprocess.run(["/usr/bin/python3", "-c", "import torch, sklearn"], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("python3-torch is not installed")

    def test_accuracy_against_latency(self):
        self.need_torch()
        printed = "".join(self.run_page("docs/accuracy-and-latency.md", packages="python/src"))
        for said in (" optimal so far", "of latency (minimize)", "\nhypervolume "):
            self.assertIn(said, printed)
        best = self.service.json("trials", "best", "digits")
        # Latencies are measured, so that on a busy machine a front may be short.
        self.assertGreaterEqual(len(best), 1)
        self.assertEqual(len(best) > 2, "is the most balanced" in printed)
        for trial in best:
            self.assertLessEqual(trial["finalMetrics"]["memory"], 60)

    def test_a_first_study(self):
        printed = self.run_page("docs/first-study.md", packages="python/src")
        self.assertEqual(self.service.job("first")["vernier"]["maxTrials"], 20)
        self.assertIn("first", printed[3])  # What is looked at.
        self.assertIn("'momentum'", printed[-1])

    def test_a_distributed_pytorch_study(self):
        self.need_torch()
        self.run_page("docs/distributed-pytorch.md")
        self.assertEqual(self.service.job("ring")["state"], "SUCCEEDED")
        self.assertGreater(self.best("ring"), 0.6)

    # The other tools' own scripts are run by scripts/check python.

    def test_from_ray_tune(self):
        printed = self.run_page("docs/from-ray-tune.md", packages="python/src")
        ours, = [each for each in printed if each]
        self.assertTrue(ours.endswith(" 20\n"), printed)

    def test_from_wandb(self):
        printed = self.run_page("docs/from-wandb.md", client="wandb", packages="python/src",
                                tools=("wandb",))
        self.assertIn("Best trials of sweep", "".join(printed))
        for job in ("flags", "sweep"):
            self.assertEqual(self.service.job(job)["state"], "SUCCEEDED", job)

    def test_from_katib(self):
        printed = self.run_page("docs/from-katib.md")
        self.assertIn("Best trials of digits", "".join(printed))
        self.assertEqual(len(self.service.job("digits")["trainingOutput"]["trials"]), 8)

    def test_from_determined(self):
        printed = self.run_page("docs/from-determined.md", packages="python/src")
        self.assertIn("Best trials of digits", "".join(printed))
        self.assertEqual(len(self.service.job("digits")["trainingOutput"]["trials"]), 8)

    def test_foreign_files(self):
        printed = self.run_page("docs/foreign-files.md", packages="python/src")
        for job in ("digits", "kernels", "boosting"):
            self.assertIn(f"Best trials of {job}", "".join(printed))
            self.assertEqual(len(self.service.job(job)["trainingOutput"]["trials"]), 6)

    def test_from_hydra(self):
        printed = self.run_page("docs/from-hydra.md", client="hydra",
                                packages="python/src:python/hydra_vernier/src")
        self.assertIn("best_value: ", "".join(printed))
        for job, count in (("layers", 3), ("tuned_jobs_from11", 1), ("plain", 6)):
            self.assertEqual(len(self.service.job(job)["trainingOutput"]["trials"]), count)

    def test_the_files_of_other_tools_are_taken(self):
        for tool, name, left_out in (
                ("vertex-ai", "hp_job.yaml", "machineSpec.machineType"),
                ("determined", "searcher.yaml", "entrypoint")):
            path = f"docs/from-{tool}.md"
            text, = [block.text for block in documented_page.blocks_of(page(path))
                     if block.kind == f"file: {name}"]
            config = self.service.write(name, text)
            done = self.service.cli("convert", config, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("name: digits\n", done.stdout)
            self.assertIn("parameters:\n", done.stdout)
            self.assertRegex(done.stderr, rf"note: \S*{name}:\d+:\d+: \S*{left_out}")
            # What it means is a study file, which becomes a job file.
            again = self.service.cli("convert",
                                     self.service.write("again.yaml", done.stdout))
            self.assertIn("trainingInput:", again.stdout)

    def test_from_ai_platform(self):
        tools = () if shutil.which("gcloud") is None else ("gcloud",)
        self.run_page("docs/from-ai-platform.md", tools=tools)
        for job in ["digits"] * len(tools) + ["digits2", "digits3"]:
            self.assertEqual(self.service.job(job)["state"], "SUCCEEDED", job)
            self.assertGreater(self.best(job), 0.9)

    def test_from_vertex_ai(self):
        printed = self.run_page("docs/from-vertex-ai.md", packages="python/src")
        self.assertTrue(printed[-1].startswith("SUCCEEDED ["), printed)
        trials = self.service.job("digits")["trainingOutput"]["trials"]
        self.assertEqual(len(trials), 8)
        # A child exists for its parent's values only.
        for trial in trials:
            given = trial["hyperparameters"]
            self.assertEqual("momentum" in given, given["optimizer"] == "sgd")

    def test_both_files_of_the_vertex_tutorial_say_the_same(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        files = {block.file: block.text
                 for block in documented_page.blocks_of(page("docs/from-vertex-ai.md"))}
        theirs = yaml.safe_load(files["hp_job.yaml"])
        ours = yaml.safe_load(files["study.yaml"])["trainingInput"]
        tuning = ours["hyperparameters"]
        self.assertEqual(
            [theirs["maxTrialCount"], theirs["parallelTrialCount"],
             theirs["maxFailedTrialCount"]],
            [tuning["maxTrials"], tuning["maxParallelTrials"], tuning["maxFailedTrials"]])
        self.assertEqual(theirs["studySpec"]["metrics"], [
            {"metricId": tuning["hyperparameterMetricTag"], "goal": tuning["goal"]}])
        pool = theirs["trialJobSpec"]["workerPoolSpecs"][0]
        self.assertEqual(pool["machineSpec"]["machineType"], ours["masterType"])
        self.assertEqual(pool["pythonPackageSpec"]["pythonModule"], ours["pythonModule"])
        self.assertEqual(pool["pythonPackageSpec"]["args"], ours["args"])
        self.assertEqual([translated(each) for each in theirs["studySpec"]["parameters"]],
                         tuning["params"])

    def test_the_command_line(self):
        self.run_page("docs/command-line.md")


if __name__ == "__main__":
    unittest.main()
