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
