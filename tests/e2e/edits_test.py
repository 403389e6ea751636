"""A job's search is edited while it runs: narrowed, widened, added to, undone."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

STUDY = """
run: [python3, train.py]
metric: {{loss: minimize}}
trials: {trials}
parallel: 1
parameters:
{parameters}
"""

# Runs until a file with its trial's number, or one for all, is there.
TRAIN = """
import json, os, sys, time
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
print("got", given, flush=True)
trial = os.environ["CLOUD_ML_TRIAL_ID"]
while not any(os.path.exists({gates!r} + "/" + name) for name in (trial, "all")):
    time.sleep(0.02)
with open(os.environ["CLOUD_ML_HP_METRIC_FILE"], "w") as file:
    file.write(json.dumps({{"loss": given["--x"], "global_step": "1"}}) + "\\n")
"""

WHOLE = "  x: {float: [0, 1]}"
NARROW = "  x: {float: [0, 0.001]}"


class EditsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.folder = os.path.join(self.service.home, "work")
        self.gates = os.path.join(self.service.home, "gates")
        os.makedirs(self.folder)
        os.makedirs(self.gates)
        self.write("train.py", TRAIN.format(gates=self.gates))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def open_gate(self, name):
        with open(os.path.join(self.gates, str(name)), "w", encoding="utf-8"):
            pass

    def submit(self, parameters=WHOLE, trials=8):
        path = self.write("study.yaml", STUDY.format(parameters=parameters,
                                                     trials=trials))
        self.service.cli("jobs", "submit", "training", "j", "--config", path,
                         "--async", cwd=self.folder)

    def edit(self, parameters, *flags, check=True):
        path = self.write("edit.yaml", "parameters:\n" + parameters + "\n")
        return self.service.cli("jobs", "update", "j", "--config", path, *flags,
                                check=check, cwd=self.folder)

    def trials(self):
        return self.service.json("trials", "list", "j")

    def await_running(self, count):
        wait_for(f"trial {count} to run", lambda: len(self.trials()) >= count and
                 self.trials()[count - 1]["state"] == "ACTIVE")

    def value(self, trial, name="x"):
        return trial["parameters"].get(name)

    def test_a_search_is_narrowed_added_to_and_undone_across_a_crash(self):
        self.submit()
        self.await_running(1)
        self.open_gate(1)
        self.await_running(2)

        told = self.edit(NARROW, "--validate-only")
        self.assertIn("the update would change: x: range 0..1 -> 0..0.001", told.stderr)
        self.assertNotIn("versions", self.service.job("j")["vernier"])
        edited = self.edit(NARROW)
        self.assertIn("x: range 0..1 -> 0..0.001 (version 2)", edited.stderr)
        self.service.kill()
        self.service.start()

        why = self.service.cli("why", "j").stdout
        self.assertIn("Its version 2 brought: x: range 0..1 -> 0..0.001.", why)
        self.assertIn("2 of 2 trials lie outside the search space as it is now", why)
        self.assertEqual(self.trials()[1]["state"], "ACTIVE", "what runs runs on")
        self.open_gate(2)
        self.await_running(3)
        self.assertLessEqual(float(self.value(self.trials()[2])), 0.001)
        self.assertIn("Best so far: trial", self.service.cli("why", "j").stdout,
                      "a finished trial stays a result")

        added = "  y: {float: [0, 2], default: 0.5}"
        refused = self.edit(f"{NARROW}\n  y: {{float: [0, 2]}}", check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn('parameter "y" is new and has no default', refused.stderr)
        self.assertIn("y: added; earlier trials had 0.5",
                      self.edit(f"{NARROW}\n{added}").stderr)
        self.open_gate(3)
        self.await_running(4)
        self.assertIsNone(self.value(self.trials()[2], "y"))
        self.assertIsNotNone(self.value(self.trials()[3], "y"))
        wait_for("the new parameter to reach the program", lambda: "--y" in
                 self.service.cli("trials", "logs", "j", "4", check=False).stdout)

        undone = self.edit(WHOLE)
        self.assertIn("x: range 0..0.001 -> 0..1 (version 4)", undone.stderr)
        self.assertIn("y: dropped; later trials have 0.5", undone.stderr)
        self.service.kill()
        self.service.start()
        # Only the trial that had another value of y lies outside.
        self.assertIn("1 of 4 trials lies outside", self.service.cli("why", "j").stdout)
        self.open_gate("all")
        self.service.wait_state("j", "SUCCEEDED")
        trials = self.trials()
        self.assertEqual(len(trials), 8)
        self.assertTrue(all(t["state"] == "COMPLETED" for t in trials))
        self.assertTrue(all(self.value(t, "y") is None for t in trials[4:]))
        self.assertIn("y: dropped", self.service.cli("jobs", "describe", "j").stdout)

    def test_a_trial_that_starts_again_gets_the_added_parameter(self):
        self.submit(trials=2)
        self.await_running(1)
        before = self.value(self.trials()[0])
        self.edit(f"{WHOLE}\n  y: {{float: [0, 2], default: 0.5}}", "--restart")
        wait_for("attempt 2", lambda: "'--y': '0.5'" in self.service.cli(
            "trials", "logs", "j", "1", check=False).stdout)
        self.assertEqual(self.value(self.trials()[0]), before)
        self.open_gate("all")
        self.service.wait_state("j", "SUCCEEDED")

    def test_the_name_of_a_job_is_no_edit(self):
        self.submit()
        self.await_running(1)
        path = self.write("study.yaml", STUDY.format(parameters=NARROW, trials=8))
        refused = self.service.cli("run", "--config", path, "--name", "j",
                                   check=False, cwd=self.folder)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("vernier jobs update j --config FILE", refused.stderr)
        self.service.cli("jobs", "cancel", "j")


if __name__ == "__main__":
    unittest.main()
