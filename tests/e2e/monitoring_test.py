"""/metrics, as Prometheus reads it."""

import re
import shutil
import subprocess
import unittest
import urllib.error
import urllib.request

from receiver import Receiver
from service import Service, wait_for

JOB = """
trainingInput: {region: local, scaleTier: BASIC, hyperparameters: {
  goal: MINIMIZE, hyperparameterMetricTag: loss, maxTrials: 2,
  params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]}}
vernier: {command: [sh, -c, "echo loss=1"]}
"""


# Whose values are few: states, codes, causes, kinds, devices, and at most 1,000
# open jobs.
LABELS = {"version", "state", "cause", "project", "job", "metric", "gpu", "model", "transport",
          "code", "le", "result", "receiver"}


class MonitoringTest(unittest.TestCase):
    def setUp(self):
        receiver = self.enterContext(Receiver())
        # With all that is counted only if it is in use.
        self.service = self.enterContext(Service(
            "--http", "127.0.0.1:0", "--gpus", "fake:2", "--webhook", receiver.url,
            "--otlp-endpoint", receiver.url))
        self.url = self.service.cli("info", "--format", "value(httpUrl)").stdout.strip()

    def metrics(self, *scope):
        token = self.service.cli("tokens", "create", "--scope", *scope).stdout.split()[0]
        request = urllib.request.Request(self.url + "/metrics",
                                         headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.assertTrue(answer.headers["Content-Type"].startswith("text/plain"))
            return answer.read().decode()

    def test_jobs_trials_and_calls_are_counted(self):
        self.service.submit("job", JOB)
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        text = self.metrics("admin")
        self.assertIn('vernier_jobs{state="SUCCEEDED"} 1\n', text)
        self.assertIn('vernier_trials_ended{cause="success"} 2\n', text)
        calls = re.search(r'vernier_requests_total\{transport="grpc",code="OK"\} (\d+)', text)
        self.assertGreater(int(calls[1]), 3)

    @unittest.skipUnless(shutil.which("promtool"), "promtool (of prometheus) is not installed")
    def test_promtool_finds_nothing(self):
        self.service.submit("job", JOB)
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        wait_for("the notice", lambda: 'result="delivered"} 1' in self.metrics("admin"))
        text = self.metrics("admin")
        done = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_each_metric_has_help_and_a_type_and_few_labels(self):
        self.service.submit("job", JOB)
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        helped, typed = set(), {}
        for line in self.metrics("admin").splitlines():
            if line.startswith("# HELP "):
                helped.add(line.split(" ", 3)[2])
            elif line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                self.assertNotIn(name, typed)
                typed[name] = kind
            else:
                name = re.match(r"[a-z_]+", line)[0]
                family = re.sub(r"_(bucket|sum|count)$", "", name) if (
                    name not in typed) else name
                self.assertIn(family, helped)
                self.assertEqual(typed[family] == "counter", name.endswith("_total"), name)
                labels = set(re.findall(r'([a-z_]+)="', line))
                self.assertLessEqual(labels, LABELS, line)

    def test_nobody_reads_it_without_a_token_and_a_project_only_its_own(self):
        self.service.submit("job", JOB)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(self.url + "/metrics", timeout=30)
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        text = self.metrics("project-read", "--project", "another")
        self.assertIn('vernier_jobs{state="SUCCEEDED"} 0\n', text)


if __name__ == "__main__":
    unittest.main()
