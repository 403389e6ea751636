"""Our launcher for Hydra: its released tests, failed jobs, lost shells, and clusters."""

import glob
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hydra_bed import CASES, SOURCES, HydraCase  # noqa: E402
import containers  # noqa: E402
from service import ROOT  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "tests/slurm"))
import lab as slurm_lab  # noqa: E402


class LauncherTest(HydraCase):
    def test_hydras_released_suites(self):
        result = self.python("-m", "pytest", "-q", "-p", "no:cacheprovider",
                             os.path.join(CASES, "released_cases.py"))
        self.assertIn("21 passed", result.stdout)

    def test_jobs_are_trials_of_one_job(self):
        printed = self.multirun("hydra/launcher=vernier", "x=range(3)", "net=small,none",
                                "hydra.launcher.name=grid")
        self.assertIn("#5 : x=2 net=none", printed)
        job = self.service.job("grid")
        self.assertEqual(job["state"], "SUCCEEDED")
        self.assertEqual(job["vernier"]["maxTrials"], 6)
        trials = self.service.json("trials", "list", "grid")
        self.assertEqual(len(trials), 6)
        for trial in trials:  # Tables and pages show what was returned.
            self.assertIn("return_value", trial["metrics"])
        self.assertIn("x: 2", self.read("out/5/.hydra/config.yaml"))

    def test_a_failed_job_raises_and_a_restart_runs_it_alone(self):
        words = ("hydra/launcher=vernier", "x=0,1,2,3", "bad=[2]", "once=true",
                 "hydra.launcher.name=failing")
        result = self.multirun(*words, check=False)
        self.assertIn("ValueError: x is 2", result)
        self.assertIn("Job #2 failed: `vernier logs failing 3`", result)
        self.assertEqual(self.ran(), [0, 1, 2, 3])
        self.write("mended", "")
        self.multirun(*words)
        self.assertEqual(self.ran(), [0, 1, 2, 2, 3])
        self.assertEqual(self.service.job("failing_again1")["state"], "SUCCEEDED")
        self.multirun(*words)
        self.assertEqual(self.ran(), [0, 1, 2, 2, 3])  # Nothing was left to do.

    def test_a_failed_job_is_tried_again(self):
        self.multirun("hydra/launcher=vernier", "x=2,3", "hydra.launcher.retries=1",
                      "bad=[2]", check=False)
        self.assertEqual(self.ran(), [2, 2, 3])

    def test_a_process_that_dies_is_a_failed_job(self):
        self.write("dies.py", "import os, hydra\n@hydra.main(version_base=None)\n"
                   "def task(cfg):\n    os._exit(3)\ntask()\n")
        result = self.python("dies.py", "-m", "hydra/launcher=vernier", check=False)
        self.assertIn("job #0 left no result", result.stdout)
        self.assertEqual(result.returncode, 1)

    def test_another_multirun_of_the_name_is_refused(self):
        self.multirun("hydra/launcher=vernier", "x=1,2", "hydra.launcher.name=taken")
        result = self.multirun("hydra/launcher=vernier", "x=1,3",
                               "hydra.launcher.name=taken", check=False)
        self.assertIn("the job taken is another multirun's", result)

    def test_settings_reach_the_job(self):
        self.multirun("hydra/launcher=vernier", "x=1,2", "hydra.launcher.name=set",
                      "hydra.launcher.timeout_min=5", "hydra.launcher.array_parallelism=1",
                      "hydra.launcher.where=local", "+hydra.launcher.slurm.nice=5",
                      "+hydra.launcher.slurm.extra_args=['--mail-type=FAIL']",
                      "hydra.launcher.partition=gpu", "+hydra.launcher.env.DATA=here")
        job = self.service.job("set")
        self.assertEqual(
            int(job["trainingInput"]["hyperparameters"]["maxParallelTrials"]), 1)
        vernier = job["vernier"]
        self.assertEqual(vernier["trialTimeLimit"], "300s")
        self.assertEqual(vernier["slurm"], {
            "partition": "gpu", "nice": 5, "extraArgs": ["--mail-type=FAIL"]})
        self.assertEqual(vernier["environment"]["DATA"], "here")

    def test_wrong_settings_are_said(self):
        for word, said in (("where=moon", "local, slurm or kubernetes"),
                           ("name='a b'", "letters, digits"),
                           ("retries=-1", "0 or more")):
            result = self.multirun("hydra/launcher=vernier", "hydra.launcher." + word,
                                   check=False)
            self.assertIn(said, result)

    def test_a_multirun_whose_shell_was_killed_goes_on(self):
        words = ("hydra/launcher=vernier", "x=0,1,2,3", "gated=true",
                 "hydra.launcher.name=lost", "hydra.launcher.array_parallelism=2")
        self.kill_when_running(self.begin(*words), 2)
        self.write("go", "")
        printed = self.multirun(*words)
        self.assertIn("The job lost is there", printed)
        self.assertEqual(self.ran(), [0, 1, 2, 3])
        self.assertEqual(self.service.job("lost")["vernier"]["maxTrials"], 4)


class SlurmTest(HydraCase):
    flags = ("--gpus", "none")

    @classmethod
    def setUpClass(cls):
        why = slurm_lab.missing()
        if why:
            raise unittest.SkipTest(why)
        cls.lab = slurm_lab.Lab()
        cls.lab.start()
        cls.addClassCleanup(cls.lab.stop)
        super().setUpClass()

    def test_jobs_on_a_cluster(self):
        self.multirun("hydra/launcher=vernier", "x=0,1,2", "hydra.launcher.where=slurm",
                      "hydra.launcher.partition=main", "hydra.launcher.name=cluster")
        self.assertEqual(self.ran(), [0, 1, 2])
        self.assertIn("x: 2", self.read("out/2/.hydra/config.yaml"))
        self.assertEqual(self.service.job("cluster")["vernier"]["launcher"], "slurm")


class ContainerTest(HydraCase):
    def make_image(self):
        """One with this machine's Python, and Hydra, the plugins and the package in it."""
        base = containers.image_for_tests(self)
        packages = os.path.join(self.folder, "image", "packages")
        site, = glob.glob(os.path.join(os.path.dirname(self.interpreter),
                                       "../lib/python3*/site-packages"))
        for folder in (site, *SOURCES):
            shutil.copytree(folder, packages, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("mypy*", "__pycache__", "pip*"))
        self.write("image/Dockerfile", f"FROM {base}\n"
                   "COPY packages /usr/lib/python3/dist-packages\n")
        name = base + "-hydra"
        made = containers.podman("build", "--quiet", "--tag", name,
                                 os.path.join(self.folder, "image"))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.addCleanup(containers.podman, "image", "rm", "--force", name)
        return name

    def test_jobs_in_an_image(self):
        self.write("where.py", "import os, hydra\n"
                   "@hydra.main(version_base=None)\n"
                   "def task(cfg):\n"
                   f"    assert not os.path.exists({ROOT!r}), 'not in the image'\n"
                   "task()\n")
        self.python("where.py", "-m", "hydra/launcher=vernier", "+x=1,2",
                    f"hydra.launcher.image={self.make_image()}", "hydra.launcher.name=image")
        for trial in self.service.json("trials", "list", "image"):
            self.assertEqual(trial["state"], "COMPLETED")


if __name__ == "__main__":
    unittest.main()
