"""Runs the examples as their README files say."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import containers  # noqa: E402
from service import ROOT, Service, wait_for  # noqa: E402

EXAMPLES = pathlib.Path(ROOT) / "examples"
TORCH_IS_HERE = subprocess.run(
    ["/usr/bin/python3", "-c", "import sklearn, torch"],
    capture_output=True, check=False).returncode == 0


class ExamplesTest(unittest.TestCase):

    def setUp(self):
        self.service = Service()
        self.service.start()
        self.addCleanup(self.service.__exit__)

    def run_example(self, name, *flags, config="config.yaml"):
        """Runs one to its end; returns its job as the API tells it."""
        self.service.cli("run", "--config", str(EXAMPLES / name / config),
                         "--name", name, *flags)
        job = self.service.job(name)
        self.assertEqual(job["state"], "SUCCEEDED")
        return job

    def values(self, job):
        return [trial["finalMetric"]["objectiveValue"]
                for trial in job["trainingOutput"]["trials"]]

    def test_every_job_file_is_accepted(self):
        files = sorted(EXAMPLES.glob("*/*.yaml"))
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            with self.subTest(file=file):
                self.service.cli("jobs", "submit", "training", "checked",
                                 "--config", str(file), "--validate-only")

    def test_the_study_files_mean_what_the_job_files_do(self):
        def meant(path):
            done = self.service.cli("jobs", "submit", "training", "checked", "--config",
                                    str(path), "--validate-only", "--format", "json")
            job = json.loads(done.stdout)
            tuning = job["trainingInput"]["hyperparameters"]
            for parameter in tuning["params"]:
                if parameter.get("scaleType") == "UNIT_LINEAR_SCALE":  # The default.
                    del parameter["scaleType"]
            job["vernier"]["command"] += job["trainingInput"].pop("args", [])
            return (tuning, job["vernier"], job["trainingInput"].get("workerCount"))

        files = sorted(EXAMPLES.glob("*/study.yaml"))
        self.assertEqual([file.parent.name for file in files], ["digits_ddp", "hello"])
        for file in files:
            with self.subTest(file=file):
                self.assertEqual(meant(file), meant(file.parent / "config.yaml"))

    def test_hello_lists_its_best_trial_first(self):
        values = self.values(self.run_example("hello", config="study.yaml"))
        self.assertEqual(len(values), 10)
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertGreater(values[0], 0.99)

    def test_eight_replicas_meet_under_tuning(self):
        job = self.run_example("cluster_check", "--job-dir",
                               os.path.join(self.service.home, "out"))
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "4")
        log = self.service.cli("trials", "logs", "cluster_check", "1").stdout
        self.assertIn("master-0-of-trial-1 has met 7 peers", log)

    @unittest.skipUnless(TORCH_IS_HERE, "scripts/test installs python3-torch")
    def test_digits_train_on_two_processes(self):
        out = pathlib.Path(self.service.home) / "out"
        job = self.run_example("digits_ddp", "--job-dir", str(out), config="study.yaml")
        self.assertEqual(len(self.values(job)), 12)
        self.assertGreater(self.values(job)[0], 0.9)
        for trial in job["trainingOutput"]["trials"]:
            self.assertTrue((out / trial["trialId"] / "best.pt").exists())

    @unittest.skipUnless(TORCH_IS_HERE, "scripts/test installs python3-torch")
    def test_digits_train_in_containers_by_the_same_job_file(self):
        image = containers.image_for_tests(self)
        mounts = ["/usr:/usr:ro", "/etc/alternatives:/etc/alternatives:ro"]
        flags = [word for mount in mounts for word in ("--container-mount", mount)]
        with Service(*flags) as service:
            out = pathlib.Path(service.home) / "out"
            service.cli("jobs", "submit", "training", "digits", "--config",
                        str(EXAMPLES / "digits_ddp/config.yaml"), "--job-dir", str(out),
                        "--master-image-uri", image)
            job = wait_for("the job to end", lambda: (
                lambda job: job if job["state"] in ("SUCCEEDED", "FAILED") else None)(
                    service.job("digits")), 900)
            self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
            self.assertEqual(len(self.values(job)), 12)
            self.assertGreater(self.values(job)[0], 0.9)
            self.assertTrue((out / "1" / "best.pt").exists())
            # Two containers to a trial.
            run = pathlib.Path(service.data) / "runs" / "1" / "1" / "1"
            record = json.loads((run / "containers.json").read_text())
            self.assertEqual(len(record["names"]), 2, record)

    @unittest.skipUnless(TORCH_IS_HERE, "scripts/test installs python3-torch")
    def test_digits_of_no_promise_are_stopped_early(self):
        self.service.cli(
            "jobs", "submit", "training", "stopping", "--config",
            str(EXAMPLES / "digits_ddp/early_stopping.yaml"), "--job-dir",
            os.path.join(self.service.home, "out"))
        job = wait_for("the job to end", lambda: (
            lambda job: job if job["state"] in ("SUCCEEDED", "FAILED") else None)(
                self.service.job("stopping")), 900)
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        trials = job["trainingOutput"]["trials"]
        self.assertEqual(len(trials), 16)
        stopped = [t for t in trials if t.get("isTrialStoppedEarly")]
        self.assertGreaterEqual(len(stopped), 1)
        self.assertLess(int(stopped[0]["finalMetric"]["trainingStep"]), 30)
        self.assertFalse(trials[0].get("isTrialStoppedEarly", False))


if __name__ == "__main__":
    unittest.main()
