"""A job of several metrics, and of constraints, with the real binary: its programs
report all of them, the service finds the front, and each face shows that."""

import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

# The error falls with `width`, the latency grows with it; the memory is only
# reported with a file, as another program would.
PROGRAM = """
import json, os, sys
arguments = dict(each[2:].split("=", 1) for each in sys.argv[1:])
width, rate = float(arguments["width"]), float(arguments["rate"])
error = 1 / width + (rate - 0.3) ** 2
for step in range(3):
    print(f"step {step} error={error + 1 - step / 2} latency={width}", flush=True)
with open(os.environ["VERNIER_METRICS"], "a") as file:
    file.write(json.dumps({"step": 2, "memory": 10 * width}) + "\\n")
"""

STUDY = """
run: {program}
arg_style: equals
metric: {{error: minimize, latency: {{goal: minimize, reference: 8}}}}
constraints:
- {{metric: memory, max: 60}}
parameters:
  width: {{float: [1, 10]}}
  rate: {{float: [0, 1]}}
trials: {trials}
parallel: 2
seed: 1
"""


class SeveralMetricsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.program = "python3 " + self.service.write("train.py", PROGRAM)

    def submit(self, name="both", trials=12, **changes):
        text = STUDY.format(program=self.program, trials=trials)
        for old, new in changes.items():
            text = re.sub(old, new, text)
        self.service.submit(name, text)

    def trials(self, *flags, verb="list", job="both"):
        return self.service.json("trials", verb, job, *flags)

    def test_the_front_is_what_no_other_trial_beats_within_the_constraints(self):
        self.submit()
        wait_for("the job's end", lambda: self.service.job("both")["state"] == "SUCCEEDED",
                 120)
        values = {}
        for trial in self.trials():
            self.assertEqual(set(trial["finalMetrics"]), {"error", "latency", "memory"})
            self.assertEqual(trial["finalMetrics"]["error"],
                             trial["finalMeasurement"]["value"])
            values[trial["trialId"]] = trial["finalMetrics"]
            self.assertEqual(trial.get("breaksConstraint", False),
                             trial["finalMetrics"]["memory"] > 60)
        allowed = {key: (each["error"], each["latency"]) for key, each in values.items()
                   if each["memory"] <= 60}
        self.assertLess(len(allowed), len(values), "no trial breaks the constraint")
        front = {key for key, own in allowed.items()
                 if not any(other != own and other[0] <= own[0] and other[1] <= own[1]
                            for other in allowed.values())}
        best = self.trials(verb="best")
        self.assertEqual({each["trialId"] for each in best}, front)
        errors = [each["finalMetrics"]["error"] for each in best]
        self.assertEqual(errors, sorted(errors))
        rows = self.service.cli("trials", "list", "both", "--format", "csv").stdout.splitlines()
        self.assertTrue(rows[0].startswith("TRIAL,STATE,error,latency,memory,STEP,width,rate"),
                        rows[0])
        broken = next(key for key, each in values.items() if each["memory"] > 60)
        for verb in (["describe", "both", broken], ["list", "both", "--filter",
                                                    "breaksConstraint=true"]):
            self.assertIn("breaks the constraint memory <= 60",
                          self.service.cli("trials", *verb).stdout)
        self.assertEqual({each["trialId"] for each in self.trials("--filter", "memory>60")},
                         set(values) - set(allowed))
        described = self.service.cli("studies", "describe", "both").stdout
        self.assertRegex(described, r"constraint memory +<= 60\n")
        self.assertRegex(described, r"reference +error [0-9.]+, latency 8\n")
        # What matters for one metric may not matter for another.
        for metric, most in (("error", "width"), ("latency", "width")):
            text = self.service.cli("insights", "both", "--metric", metric).stdout
            self.assertIn(f"12 results of {metric} (minimize)", text)
            self.assertIn("Its hypervolume is ", text)
            self.assertRegex(text, rf"90 % interval\n  {most} ")
        unknown = self.service.cli("insights", "both", "--metric", "eror", check=False)
        self.assertIn("did you mean error?", unknown.stderr)
        # By the model, not by points that fill the space.
        methods = {each["suggestion"].get("method") for each in self.trials()}
        self.assertIn("EXPECTED_HYPERVOLUME", methods)

        why = self.service.cli("why", "both").stdout
        self.assertIn("optimal so far", why)
        table = self.service.cli("trials", "best", "both").stdout
        self.assertEqual(table.split()[2:6], ["error", "latency", "memory", "STEP"])
        described = self.service.cli("jobs", "describe", "both").stdout
        self.assertRegex(described, r"constraint memory +<= 60")
        self.assertRegex(described, r"metric latency +MINIMIZE")
        study = self.service.json("studies", "describe", "both")
        self.assertNotIn("bestTrial", study)
        self.assertEqual(set(study["front"]["trials"]), front)
        self.assertIn(study["front"]["kneeTrial"], front)
        self.assertEqual(study["front"]["reference"]["latency"], 8)
        self.assertGreater(study["front"]["hypervolume"], 0)
        self.assertIn(f"Trial {study['front']['kneeTrial']} is the most balanced", why)

    def test_a_kill_in_the_midst_loses_no_value(self):
        gated = self.service.write("gated.py", PROGRAM + """
import time
while not os.path.exists(os.environ["GATE"]):
    time.sleep(0.05)
""")
        gate = os.path.join(self.service.data, "..", "gate")
        self.program = f"python3 {gated}"
        self.submit(trials=2, parallel=f"env: {{GATE: {gate}}}\nparallel")
        wait_for("both programs' values", lambda: [
            len(each.get("metrics", [])) for each in self.trials()] == [3, 3])
        self.service.kill()
        self.service.start()
        with open(gate, "w", encoding="ascii"):
            pass
        wait_for("the job's end", lambda: self.service.job("both")["state"] == "SUCCEEDED")
        for trial in self.trials():
            self.assertEqual(set(trial["finalMetrics"]), {"error", "latency", "memory"})

    def test_a_program_that_leaves_a_metric_out_is_told_which(self):
        self.submit(trials=2, memory="memry")
        wait_for("the trials' end", lambda: [
            each.get("endCause") for each in self.trials()] == ["no_metric"] * 2)
        trial = self.trials()[0]
        self.assertIn('no value of the metric "memry"', trial["message"])
        self.assertIn('did you mean "memory"?', trial["message"])

    def test_an_update_may_not_change_what_the_metrics_mean(self):
        self.submit(trials=2)
        wait_for("the job's end", lambda: self.service.job("both")["state"] == "SUCCEEDED")
        path = self.service.write("other.yaml", STUDY.format(
            program=self.program, trials=4).replace("max: 60", "max: 50"))
        refused = self.service.cli("run", "--name", "both", "--config", path, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("vernier.metricConstraints are others", refused.stderr)

    def test_flags_say_several_metrics(self):
        done = self.service.cli(
            "run", "-p", "width=float:1..10", "-p", "rate=float:0..1", "-m", "error:min",
            "-m", "latency:min", "-n", "2", "--name", "flags", "--",
            *self.program.split(), "--width={width}", "--rate={rate}", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([sorted(each["finalMetrics"]) for each in self.trials(job="flags")],
                         [["error", "latency"]] * 2)


if __name__ == "__main__":
    unittest.main()
