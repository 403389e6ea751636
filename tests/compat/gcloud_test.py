"""Google Cloud CLI as released, sent here by `vernier gcloud env`."""

import json
import os
import shutil
import subprocess
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402, F401  (finds tests/e2e)
from service import Service  # noqa: E402

CONFIG = """
labels: {{team: a}}
trainingInput:
  scaleTier: BASIC
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: acc
    maxTrials: 2
    algorithm: RANDOM_SEARCH
    params:
    - {{parameterName: lr, type: DOUBLE, minValue: 0.1, maxValue: 1}}
vernier:
  command: [{command}]
"""

TRIAL = """#!/bin/sh
echo "hello of trial $CLOUD_ML_TRIAL_ID"
echo "WARNING:root:careful"
printf '{"acc": "0.%s", "global_step": "7", "timestamp": 1.5, "trial": "1"}\\n' \
  "$CLOUD_ML_TRIAL_ID" > "$CLOUD_ML_HP_METRIC_FILE"
"""


TUNING = """
trainingInput:
  scaleTier: BASIC
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: acc
    maxTrials: 2
    algorithm: RANDOM_SEARCH
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 0.1, maxValue: 1}
"""

# As such programs are: it knows nothing of us.
TASK = """
import argparse
import json
import os
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int)
parser.add_argument("--lr", type=float)
parser.add_argument("--job-dir")
args = parser.parse_args()
print("training with", args.lr, flush=True)
if args.steps == 13:
    sys.exit("ERROR: 13 is unlucky")
os.makedirs(args.job_dir, exist_ok=True)
with open(os.path.join(args.job_dir, "model"), "w") as file:
    file.write("weights")
with open(os.environ["CLOUD_ML_HP_METRIC_FILE"], "w") as file:
    file.write(json.dumps({"timestamp": 1.5, "trial": os.environ["CLOUD_ML_TRIAL_ID"],
                           "acc": str(args.lr), "global_step": str(args.steps)}) + "\\n")
"""


def setUpModule():
    if shutil.which("gcloud") is None:
        raise unittest.SkipTest("gcloud is not on PATH")


class GcloudTest(unittest.TestCase):
    def setUp(self):
        # What this test asks of the command line is of the same project.
        self.enterContext(
            unittest.mock.patch.dict(os.environ, {"VERNIER_PROJECT": "p1"}))
        self.service = self.enterContext(Service("--http", "127.0.0.1:0"))
        self.settings = self.service.json("gcloud", "env", "--project", "p1")

    def gcloud(self, *args, code=0):
        result = subprocess.run(
            ["gcloud", *args], capture_output=True, text=True, timeout=300,
            stdin=subprocess.DEVNULL, cwd=self.service.home,
            env={**os.environ, **self.settings})
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def jobs(self, *args, code=0):
        return self.gcloud("ai-platform", "jobs", *args, code=code)

    def submit(self, name, trial=TRIAL):
        command = self.service.write(f"{name}.sh", trial, mode=0o755)
        self.service.submit(name, CONFIG.format(command=command))

    def test_settings_can_be_evaluated_by_a_shell(self):
        refused = self.service.cli("gcloud", "env", "--project", "it's", check=False)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        text = self.service.cli("gcloud", "env", "--project", "example.com:p1").stdout
        shell = subprocess.run(
            ["sh", "-c", text + 'printf %s "$CLOUDSDK_CORE_PROJECT"'],
            capture_output=True, text=True, check=True)
        self.assertEqual(shell.stdout, "example.com:p1")
        path = self.settings["CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"]
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path, encoding="utf-8") as file:
            token = file.read()
        # The same token as long as it is good, then another one.
        self.service.cli("gcloud", "env")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), token)
        for known in self.service.json("tokens", "list")["tokens"]:
            self.service.cli("tokens", "revoke", known["id"])
        self.service.cli("gcloud", "env")
        with open(path, encoding="utf-8") as file:
            self.assertNotEqual(file.read(), token)

    def test_jobs_are_listed_described_and_summarized(self):
        self.assertIn("Listed 0 items", self.jobs("list").stderr)
        self.submit("j1")
        self.service.wait_state("j1", "SUCCEEDED")
        self.assertRegex(self.jobs("list").stdout, r"j1 +SUCCEEDED")
        job = json.loads(self.jobs("describe", "j1", "--format", "json").stdout)
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "2")
        # Scripts take the first trial for the best one.
        best = self.jobs("describe", "j1", "--format",
                         "value(trainingOutput.trials.trialId.slice(0))").stdout
        self.assertEqual(best.strip(), "2")
        summary = self.jobs("describe", "j1", "--summarize").stdout
        self.assertRegex(summary, r"\b1 .*0\.1 .*7 .*lr=0\.")
        self.assertIn("there is no job", self.jobs("describe", "j2", code=1).stderr)

    def test_a_job_with_a_hyphen_is_followed_under_its_name(self):
        self.submit("my-job")
        self.service.wait_state("my-job", "SUCCEEDED")
        self.assertRegex(self.jobs("list", "--filter", "jobId:my-*").stdout,
                         r"my-job +SUCCEEDED")
        job = json.loads(self.jobs("describe", "my-job", "--format", "json").stdout)
        self.assertEqual(job["jobId"], "my-job")
        lines = self.jobs("stream-logs", "my-job", "--polling-interval", "1").stdout
        self.assertIn("hello of trial 1", lines)

    def test_labels_are_updated(self):
        self.submit("j1")
        self.jobs("update", "j1", "--update-labels", "team=b,more=c")
        self.assertEqual(self.service.job("j1")["labels"], {"team": "b", "more": "c"})
        self.jobs("update", "j1", "--remove-labels", "more")
        self.jobs("update", "j1", "--clear-labels")
        self.assertNotIn("labels", self.service.job("j1"))

    def test_a_job_is_cancelled_once(self):
        self.submit("j1", "#!/bin/sh\nexec sleep 600\n")
        self.jobs("cancel", "j1")
        self.service.wait_state("j1", "CANCELLED")
        self.assertIn("FAILED_PRECONDITION", self.jobs("cancel", "j1", code=1).stderr)

    def test_logs_are_streamed_to_the_end_of_the_job(self):
        self.submit("j1")
        lines = self.jobs("stream-logs", "j1", "--polling-interval", "1").stdout
        rows = [line.split("\t") for line in lines.splitlines()]
        self.assertTrue(all(len(row) == 5 for row in rows), lines)
        printed = [(row[0], row[2], row[3], row[4]) for row in rows
                   if row[2] != "service"]
        for trial in ("1", "2"):
            self.assertIn(("INFO", "master-replica-0", trial,
                           f"hello of trial {trial}"), printed)
            self.assertIn(("WARNING", "master-replica-0", trial,
                           "WARNING:root:careful"), printed)
        self.assertEqual(len(printed), 4, lines)
        self.assertEqual(rows[-1][4], "Job completed successfully.")

    def test_the_logs_of_a_failing_job_say_why(self):
        self.submit("j1", "#!/bin/sh\necho 'ERROR: no data' >&2\nexit 3\n")
        self.service.wait_state("j1", "FAILED")
        lines = self.jobs("stream-logs", "j1", "--polling-interval", "1").stdout
        self.assertRegex(lines, r"ERROR\t[^\t]+\tmaster-replica-0\t1\tERROR: no data")
        self.assertRegex(lines, r"ERROR\t[^\t]+\tservice\t.*FAILED")

    def submit_package(self, name, steps, code):
        os.makedirs(os.path.join(self.service.home, "trainer"), exist_ok=True)
        self.service.write("trainer/__init__.py", "")
        self.service.write("trainer/task.py", TASK)
        self.service.write("tuning.yaml", TUNING)
        return self.jobs(
            "submit", "training", name, "--config", "tuning.yaml",
            "--package-path", "trainer", "--module-name", "trainer.task",
            "--staging-bucket", "gs://staging", "--job-dir", f"gs://staging/{name}",
            "--runtime-version", "2.11", "--stream-logs", "--", "--steps", steps,
            code=code)

    def test_a_package_is_tuned_from_its_folder_to_its_model(self):
        self.gcloud("storage", "buckets", "create", "gs://staging")
        result = self.submit_package("j1", "10", code=0)
        self.assertIn("state: SUCCEEDED", result.stdout)
        self.assertIn("training with", result.stdout + result.stderr)
        job = self.service.job("j1")
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "2")
        self.assertRegex(job["trainingInput"]["packageUris"][0],
                         r"^gs://staging/.*\.tar\.gz$")
        listed = self.gcloud("storage", "ls", "gs://staging/j1/**").stdout
        self.assertIn("gs://staging/j1/1/model", listed)
        self.assertIn("gs://staging/j1/2/model", listed)
        copied = os.path.join(self.service.home, "model")
        self.gcloud("storage", "cp", "gs://staging/j1/1/model", copied)
        with open(copied, encoding="utf-8") as file:
            self.assertEqual(file.read(), "weights")

    def test_a_failing_package_ends_with_an_exit_code(self):
        self.gcloud("storage", "buckets", "create", "gs://staging")
        result = self.submit_package("j1", "13", code=1)
        self.assertIn("13 is unlucky", result.stdout + result.stderr)

    def test_the_check_says_what_works(self):
        checks = {check["check"]: check["works"] for check in json.loads(
            self.service.cli("gcloud", "check", "--format", "json",
                             check=False).stdout)["checks"]}
        self.assertTrue(checks["gcloud is installed"])
        self.assertTrue(checks["jobs are listed"])
        self.assertTrue(checks["buckets are listed"])


if __name__ == "__main__":
    unittest.main()
