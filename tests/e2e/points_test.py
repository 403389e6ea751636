"""Points that a user gives by hand, before a study and during it, with the real
binary."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

JOB = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 6
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
    - {{parameterName: units, type: INTEGER, minValue: 1, maxValue: 99, defaultValue: 8}}
vernier:
  command: [{command}]
  {more}
  initialPoints:
  - {{x: 0.75}}
  - {{x: 0.25, units: 16}}
"""


class PointsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.program = self.service.write_gated_program()

    def submit(self, more=""):
        self.service.submit("job", JOB.format(command=self.program, more=more))

    def add(self, *flags, job="job", check=False):
        return self.service.cli("trials", "add", job, *flags, check=check)

    def section(self):
        return self.service.job("job")["vernier"]

    def points(self):
        return [dict(trial["parameters"])
                for trial in self.service.json("trials", "list", "job")]

    def test_points_come_first_and_outlive_a_kill(self):
        self.submit()
        wait_for("trial 1", lambda: len(self.points()) == 1)
        self.assertEqual(self.section()["initialPoints"],
                         [{"x": 0.75}, {"x": 0.25, "units": 16}])
        added = self.add("--param", "x=0.5", check=True)
        self.assertIn("tries 1 more point next; 2 wait", added.stderr)
        path = self.service.write("points.json", json.dumps([{"x": 0.125, "units": "3"}]))
        self.add("--params-file", path, check=True)
        waiting = [{"x": 0.25, "units": 16}, {"x": 0.5, "units": 8},
                   {"x": 0.125, "units": 3}]
        self.service.kill()
        self.service.start()
        self.assertEqual(self.section()["queuedPoints"], waiting)
        self.assertIn("3 points given by hand wait; trial 2 will be (x=0.25",
                      self.service.cli("why", "job").stdout)
        self.service.write("go", "")
        job = self.service.wait_state("job", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertNotIn("queuedPoints", job["vernier"])
        self.assertEqual(self.points()[:4], [{"x": 0.75, "units": 8}, *waiting])
        methods = [trial["suggestion"]["method"]
                   for trial in self.service.json("trials", "list", "job")]
        self.assertEqual(methods[:4], ["USER"] * 4)
        self.assertNotIn("USER", methods[4:])
        self.assertIn("given by hand", self.service.cli("why", "job", "1").stdout)

    def test_what_is_proposed_is_tried_when_it_has_earned_it(self):
        gate = os.path.join(self.service.home, "go")
        program = self.service.write("near.py", f"""
import argparse, os, time
parser = argparse.ArgumentParser()
parser.add_argument("--x", type=float)
x = parser.parse_known_args()[0].x
while not os.path.exists({gate!r}):
    time.sleep(0.02)
print(f"loss={{(x - 0.3) ** 2}}")
""")
        self.service.submit("near", JOB.replace("maxTrials: 6", "maxTrials: 12").format(
            command=f"/usr/bin/python3, {program}", more="seed: 1"))
        for x in ("0.3", "0.95"):
            self.add("--param", f"x={x}", "--param", "units=8", "--source", "adviser",
                     job="near", check=True)
        added = self.add("--param", "x=0.9", "--source", "a stranger", job="near", check=True)
        self.assertIn('1 point of "a stranger" waits in [near] until it is trusted more',
                      added.stderr)
        self.service.kill()
        self.service.start()
        proposed = self.service.json("studies", "describe", "near")["proposedPoints"]
        self.assertIn('by "a stranger": units=8 x=0.9',
                      self.service.cli("studies", "describe", "near").stdout)
        self.assertEqual([each["source"] for each in proposed],
                         ["adviser", "adviser", "a stranger"])
        self.assertEqual(proposed[2]["parameters"], {"x": 0.9, "units": 8})
        self.assertIn('2 points proposed by "adviser" wait',
                      self.service.cli("why", "near").stdout)
        self.service.write("go", "")
        self.service.wait_state("near", "SUCCEEDED")
        trials = self.service.json("trials", "list", "near")
        sources = [(trial["suggestion"].get("source"), trial["parameters"])
                   for trial in trials if trial["suggestion"]["method"] == "PROPOSAL"]
        self.assertIn(("adviser", {"x": 0.3, "units": 8}), sources)
        tried = next(trial["trialId"] for trial in trials
                     if trial["suggestion"].get("source") == "adviser")
        self.assertGreater(int(tried), 4, "the search has results of its own first")
        self.assertIn('It was proposed by "adviser"',
                      self.service.cli("why", "near", tried).stdout)
        best = self.service.json("trials", "best", "near")
        self.assertIn(tried, json.dumps(best))

    def test_what_cannot_be_proposed_is_refused(self):
        self.submit()
        random = JOB.format(command=self.program, more="algorithm: RANDOM_SEARCH")
        self.service.submit("random", random)
        for job, flags, text in (
                ("random", ["--param", "x=0.5", "--source", "me"],
                 "proposals need the default algorithm"),
                ("job", ["--param", "x=2", "--source", "me"],
                 'parameter "x" must be in [0, 1]: 2'),
                ("job", ["--param", "x=0.5", "--source", "m" * 65], "a name of 1 to 64 bytes"),
                ("job", ["--param", "x=0.5", "--source", ""], "a name of 1 to 64 bytes"),
                ("none", ["--param", "x=0.5", "--source", "me"], "none")):
            refused = self.add(*flags, job=job)
            self.assertIn(refused.returncode, (2, 3), refused.stderr)
            self.assertIn(text, refused.stderr)

    def test_what_cannot_be_tried_is_refused(self):
        self.submit()
        for flags, code, text in (
                (["--param", "x=2"], 2, 'parameter "x" must be in [0, 1]: 2'),
                (["--param", "y=1", "--param", "x=1"], 2, 'has no parameter "y"'),
                (["--param", "units=3"], 2, '"x" is missing, and has no defaultValue'),
                ([], 2, "there is no point to add")):
            refused = self.add(*flags)
            self.assertEqual(refused.returncode, code, refused.stderr)
            self.assertIn(text, refused.stderr)
        self.assertEqual(self.add("--param", "x=1", job="none").returncode, 3)
        path = self.service.write("points.json", json.dumps([{"x": 1}] * 5))
        refused = self.add("--params-file", path)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("extend it to at least 7 trials first", refused.stderr)
        self.service.cli("jobs", "extend", "job", "--max-trials", "7")
        self.add("--params-file", path, check=True)
        self.service.write("go", "")
        self.service.wait_state("job", "SUCCEEDED")
        self.assertEqual(len(self.points()), 7)
        refused = self.add("--param", "x=1")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("is SUCCEEDED; extend it", refused.stderr)

    def test_a_paused_job_tries_them_when_it_goes_on(self):
        self.submit(more="algorithm: RANDOM_SEARCH")
        wait_for("trial 1", lambda: len(self.points()) == 1)
        self.service.cli("jobs", "pause", "job")
        self.add("--param", "x=0.5", check=True)
        self.service.write("go", "")
        wait_for("the end of trial 1", lambda: self.service.json(
            "trials", "describe", "job", "1")["state"] == "COMPLETED")
        self.assertEqual(len(self.section()["queuedPoints"]), 2)
        self.service.cli("jobs", "resume", "job")
        self.service.wait_state("job", "SUCCEEDED")
        self.assertEqual(self.points()[2], {"x": 0.5, "units": 8})


if __name__ == "__main__":
    unittest.main()
