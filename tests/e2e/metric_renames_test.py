"""Metrics of running searches are renamed with the values that they have; programs go on
reporting the old names, across crashes of the service."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, binary, wait_for  # noqa: E402

# Reports half of its steps, waits for a file with its trial's number, or one for all, and
# reports the others; always under the names that its metrics had first.
PROGRAM = """
import json, os, sys, time
arguments = dict(each[2:].split("=", 1) for each in sys.argv[1:])
width = float(arguments["width"])
trial = os.environ["CLOUD_ML_TRIAL_ID"]
def report(step):
    print(f"step {{step}} error={{1 / width + 2 - step}}", flush=True)
    with open(os.environ["VERNIER_METRICS"], "a") as file:
        file.write(json.dumps({{"step": step, "latency": width, "memory": 10 * width}})
                   + "\\n")
report(1)
while not any(os.path.exists({gates!r} + "/" + name) for name in (trial, "all")):
    time.sleep(0.02)
report(2)
"""

STUDY = """
run: {program}
arg_style: equals
metric: {metric}
constraints:
- {{metric: memory, max: 25}}
parameters:
  width: {{int: [1, 4]}}
trials: {trials}
parallel: 1
seed: 1
"""

BOTH = "{error: minimize, latency: {goal: minimize, reference: 8}}"


class MetricRenamesTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.gates = os.path.join(self.service.home, "gates")
        os.makedirs(self.gates)
        self.program = "python3 " + self.service.write(
            "train.py", PROGRAM.format(gates=self.gates))

    def submit(self, metric=BOTH, trials=4, name="j"):
        self.service.submit(name, STUDY.format(program=self.program, metric=metric,
                                               trials=trials))

    def rename(self, renames, check=True):
        path = self.service.write("edit.yaml", f"renamed_from: {renames}\n")
        return self.service.cli("jobs", "update", "j", "--config", path, check=check)

    def open_gate(self, name):
        with open(os.path.join(self.gates, str(name)), "w", encoding="utf-8"):
            pass

    def trials(self, verb="list", *flags):
        return self.service.json("trials", verb, "j", *flags)

    def await_reports(self, trial, count):
        wait_for(f"{count} metrics of trial {trial}", lambda: len(self.trials()) >= trial and
                 len(self.trials()[trial - 1].get("metrics", [])) == count)

    def curve(self, trial, *flags):
        return [(each["metric"], int(each.get("step", 0))) for each in
                self.trials("measurements", str(trial), *flags)]

    def restart(self):
        self.service.kill()
        self.service.start()

    def check(self):
        """The data folder, once the service has ended."""
        self.service.stop()
        self.service.process = None
        done = subprocess.run([binary(), "check", "--data-dir", self.service.data],
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_objective_and_a_constrained_metric_keep_their_values(self):
        self.submit()
        self.await_reports(1, 3)
        self.open_gate(1)
        self.await_reports(2, 3)
        edited = self.rename("{loss: [error], bytes: [memory]}")
        self.assertIn("metric error -> loss (version 2), metric memory -> bytes",
                      edited.stderr)
        self.restart()
        self.open_gate(2)
        self.await_reports(3, 3)
        self.restart()
        self.open_gate("all")
        self.service.wait_state("j", "SUCCEEDED")

        trials = self.trials()
        for trial in trials:
            self.assertEqual(set(trial["finalMetrics"]), {"loss", "latency", "bytes"})
            self.assertEqual(trial["finalMetrics"]["loss"],
                             trial["finalMeasurement"]["value"])
            self.assertAlmostEqual(trial["finalMetrics"]["bytes"],
                                   10 * float(trial["parameters"]["width"]))
            self.assertEqual(self.curve(trial["trialId"]),
                             [(name, step) for name in ("bytes", "latency", "loss")
                              for step in (1, 2)])
        # Who asks by an old name means the metric that had it.
        for name in ("loss", "error"):
            self.assertEqual(self.curve(1, "--metric", name), [("loss", 1), ("loss", 2)])
        front = {each["trialId"] for each in self.trials("best")}
        self.assertEqual(front, {each["trialId"] for each in trials
                                 if each["finalMetrics"]["bytes"] <= 25})
        self.assertEqual(len(front), 2)
        rows = self.service.cli("trials", "list", "j", "--format", "csv").stdout
        self.assertTrue(rows.startswith("TRIAL,STATE,loss,latency,bytes,STEP,width"), rows)

        study = self.service.json("studies", "describe", "j")
        self.assertEqual(set(study["front"]["trials"]), front)
        self.assertEqual(set(study["front"]["reference"]), {"loss", "latency"})
        described = self.service.cli("jobs", "describe", "j").stdout
        self.assertRegex(described, r"constraint bytes +<= 25")
        self.assertRegex(described, r"metric loss +MINIMIZE")
        self.assertIn("4 results of loss (minimize)",
                      self.service.cli("insights", "j", "--metric", "loss").stdout)
        why = self.service.cli("why", "j").stdout
        self.assertIn("Its version 2 brought: metric error -> loss, metric memory -> bytes.",
                      why)
        exported = self.service.json("studies", "export", "j")
        measured = {each["metric"] for trial in exported["trials"]
                    for each in trial["measurements"]}
        self.assertEqual(measured, {"loss", "latency", "bytes"})
        for text in (why.replace("error -> loss", "").replace("memory -> bytes", ""), rows):
            self.assertNotIn("error", text)
            self.assertNotIn("memory", text)
        self.check()

    def test_the_only_objective_and_its_best_trial(self):
        self.submit(metric="{error: minimize}")
        self.await_reports(1, 3)
        self.open_gate(1)
        self.await_reports(2, 3)
        self.rename("{loss: [error]}")
        self.restart()
        # Under this name the latency would be another metric's.
        refused = self.rename("{latency: [loss]}", check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn('has reported something else as "latency"', refused.stderr)
        # A program of the second name, which is gone before it reports.
        self.rename("{cost: [loss]}")
        self.open_gate("all")
        self.service.wait_state("j", "SUCCEEDED")
        best = min((each for each in self.trials() if each["finalMetrics"]["memory"] <= 25),
                   key=lambda each: each["finalMetrics"]["cost"])
        self.assertEqual(self.trials("best")[0]["trialId"], best["trialId"])
        by_value = self.trials("list", "--sort", "objective", "--filter", "objective < 100")
        values = [each["finalMeasurement"]["value"] for each in by_value]
        self.assertEqual(values, sorted(values))
        self.assertEqual(len(values), 4)
        described = self.service.json("jobs", "describe", "j")
        self.assertEqual(described["vernier"]["renamedFrom"], {"cost": ["error", "loss"]})
        self.assertIn("cost", self.service.cli("why", "j").stdout)
        # The name of the start undoes all of it.
        self.rename("{error: [cost]}")
        self.restart()
        self.assertEqual({each["finalMetrics"]["error"] for each in self.trials()},
                         set(values))
        self.check()

    def test_a_job_goes_on_from_one_whose_metric_has_another_name(self):
        self.open_gate("all")
        self.submit(trials=2)
        self.service.wait_state("j", "SUCCEEDED")
        self.rename("{loss: [error], bytes: [memory]}")
        self.service.submit("on", f"""
run: {self.program}
arg_style: equals
continue_from: j
trials: 2
""")
        self.service.wait_state("on", "SUCCEEDED")
        for trial in self.service.json("trials", "list", "on"):
            self.assertEqual(set(trial["finalMetrics"]), {"loss", "latency", "bytes"})
        self.check()


if __name__ == "__main__":
    unittest.main()
