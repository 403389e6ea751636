"""Programs whose last value finds no room on a disk that is really full."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import ROOT, Service  # noqa: E402

FIXTURES = os.path.join(ROOT, "tests/cluster/metrics/tensorboard/fixtures")

JOB = """
trainingInput:
  jobDir: {out}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: {metric}
    maxTrials: 1
    params: [{{parameterName: lr, type: DOUBLE, minValue: 0.1, maxValue: 1}}]
vernier:
  command: [{program}]
  retry: {{maxInfrastructureRetries: 0}}
"""

# The disk stays full until the service has looked at it, which it does each second.
FILLS = """#!/bin/sh
fill() {{ cat /dev/zero > {disk}/filler 2> /dev/null; }}
empty() {{ sleep 3; rm {disk}/filler; }}
{body}
exit 0
"""

REPORTS = """#!/usr/bin/python3
import os, sys, time
sys.path.insert(0, {python!r})
from vernier_report import report
report(1, loss=5)
time.sleep(2)
with open({disk!r} + "/filler", "wb", 0) as file:
    try:
        while file.write(bytes(1 << 16)) == 1 << 16:
            pass
        while file.write(bytes(1 << 10)):
            pass
    except OSError:
        pass
for step in range(2, 300):  # What is left of the file's last block has room for some.
    report(step, loss=5 - step / 100)
time.sleep(2)
os.remove({disk!r} + "/filler")
"""


class FullDiskTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                              capture_output=True, text=True, check=False)
        if made.returncode:
            raise unittest.SkipTest(
                f"users may make no namespaces on this machine: {made.stderr.strip()}")

    def setUp(self):
        service = Service()
        # What programs and the service write about attempts, and the job's outputs.
        self.disk = os.path.join(service.data, "runs")
        self.out = os.path.join(service.home, "out")
        os.makedirs(self.disk, 0o700)
        os.chmod(service.data, 0o700)
        os.makedirs(self.out)
        service.before = [
            "unshare", "-rm", "sh", "-c",
            f"for disk in {self.disk} {self.out}; do "
            "mount -t tmpfs -o size=2m,mode=700 tmpfs $disk || exit; done; exec \"$@\"", "sh"]
        self.service = service.__enter__()
        self.addCleanup(service.__exit__, None, None, None)

    def run_job(self, program, metric="loss"):
        path = self.service.write("program", program, 0o755)
        config = self.service.write("job.yaml", JOB.format(
            out=self.out, metric=metric, program=path))
        self.service.cli("jobs", "submit", "training", "job", "--config", config)
        self.service.wait_state("job", "SUCCEEDED", "FAILED", "PAUSED")
        trial = self.service.json("trials", "list", "job")[0]
        self.service.cli("jobs", "cancel", "job", check=False)
        self.service.cli("jobs", "delete", "job", "--yes")
        return trial

    def test_an_older_value_is_no_result(self):
        for name, disk, metric, body in (
                ("metric files", self.disk, "loss",
                 "say() { echo \"{\\\"step\\\": $1, \\\"loss\\\": $2}\" >> $VERNIER_METRICS; }\n"
                 "say 1 5; sleep 2; fill; for i in $(seq 2 300); do say $i 1; done; empty"),
                ("metric files", self.disk, "loss",
                 "say() { printf '{\"global_step\": \"%d\", \"loss\": \"%d\"}\\n' $1 $2 "
                 ">> $CLOUD_ML_HP_METRIC_FILE; }\n"
                 "say 1 5; sleep 2; fill; for i in $(seq 2 300); do say $i 1; done; empty"),
                ("event files", self.out, "epoch_loss",
                 f"logs={self.out}/$CLOUD_ML_TRIAL_ID/validation; mkdir -p $logs\n"
                 f"cp {FIXTURES}/keras-train.tfevents $logs/events.out.tfevents.1.host\n"
                 f"sleep 2; fill\n"
                 f"cp {FIXTURES}/keras-validation.tfevents $logs/events.out.tfevents.2.host\n"
                 "empty"),
                ("its output", self.disk, "loss",
                 "echo step 1 loss=5; sleep 2; fill; "
                 "for i in $(seq 2 300); do echo step $i loss=1; done; empty")):
            with self.subTest(name=name):
                trial = self.run_job(FILLS.format(disk=disk, body=body), metric)
                self.assertEqual((trial["state"], trial.get("endCause")),
                                 ("FAILED", "infrastructure"), trial)
                self.assertIn("there was no room for", trial["message"])
                self.assertIn(name, trial["message"])

    def test_reports_that_found_no_room_come_once_there_is_some(self):
        trial = self.run_job(REPORTS.format(
            python=os.path.join(ROOT, "python/src"), disk=self.disk))
        self.assertEqual(trial["finalMeasurement"], {"value": 2.01, "step": "299"}, trial)


if __name__ == "__main__":
    unittest.main()
