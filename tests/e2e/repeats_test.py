"""A job whose program is noisy, with repeats, with the real binary: each point is tried
three times by a program that knows which time it is, and the best is by the means."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

# Its noise is that of a seed: the trial's place among those of its point.
PROGRAM = """
import os, random, sys
x = float(sys.argv[1].split("=")[1])
repeat = int(os.environ["VERNIER_REPEAT"])
noise = random.Random(f"{x}/{repeat}").gauss(0, 0.1)
with open(sys.argv[0] + ".runs", "a") as file:
    file.write(f"{x} {repeat}\\n")
print(f"loss={(x - 0.3) ** 2 + noise}")
"""

STUDY = """
run: {program}
arg_style: equals
metric: {{loss: minimize}}
parameters:
  x: {{float: [0, 1]}}
trials: {trials}
parallel: {parallel}
repeats: {repeats}
seed: 1
"""


class RepeatsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.path = self.service.write("train.py", PROGRAM)

    def submit(self, trials, repeats, parallel=1):
        self.service.submit("noisy", STUDY.format(
            program="python3 " + self.path, trials=trials, repeats=repeats,
            parallel=parallel))
        wait_for("the job's end",
                 lambda: self.service.job("noisy")["state"] == "SUCCEEDED", 120)
        return self.service.json("trials", "list", "noisy")

    def runs(self):
        with open(self.path + ".runs", encoding="utf-8") as file:
            return [line.split() for line in file]

    def test_points_are_tried_three_times_and_the_best_is_by_the_mean(self):
        trials = {int(each["trialId"]): each for each in self.submit(15, 3)}
        values = {}
        for trial in trials.values():
            point = trial["parameters"]["x"]
            values.setdefault(point, []).append(trial["finalMeasurement"]["value"])
        self.assertLess(len(values), 15)
        self.assertEqual(max(map(len, values.values())), 3)
        repeats = {number: each["suggestion"] for number, each in trials.items()
                   if each["suggestion"]["method"] == "REPEAT"}
        self.assertEqual(len(repeats), 15 - len(values))
        number, repeat = next(iter(repeats.items()))
        first = trials[int(repeat["repeatOf"])]
        self.assertEqual(first["parameters"], trials[number]["parameters"])
        why = self.service.cli("why", "noisy", str(number)).stdout
        self.assertIn(f"It is repeat {repeat['repeat']} of 3 of trial "
                      f"{repeat['repeatOf']}: the same parameters again", why)
        # Each place among the trials of a point was taken once.
        runs = self.runs()
        self.assertEqual(len({tuple(each) for each in runs}), 15)
        for point in {point for point, _ in runs}:
            numbers = sorted(int(each) for other, each in runs if other == point)
            self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        # No point with fewer results comes before the one that is best by its mean.
        best = self.service.json("trials", "best", "noisy")[0]["parameters"]["x"]
        means = {point: sum(each) / len(each) for point, each in values.items()
                 if len(each) == 3}
        self.assertEqual(best, min(means, key=means.get))
        text = self.service.cli("insights", "noisy").stdout
        self.assertIn("Points tried several times", text)
        self.assertRegex(text, r"trial \d+: \S+ \(\S+ to \S+\) of 3 results")
        line = self.service.cli("trials", "best", "noisy").stdout
        self.assertRegex(line, r"Recommended: trial \d+.*; its (3 results have the mean"
                               r"|2 results have the mean|one result is)")

    def test_workers_side_by_side_are_kept_busy(self):
        trials = self.submit(12, 3, parallel=3)
        methods = [each["suggestion"]["method"] for each in trials]
        self.assertEqual(len(methods), 12)
        self.assertGreater(methods.count("REPEAT"), 3)

    def test_mistakes_are_told(self):
        path = self.service.write("wrong.yaml", STUDY.format(
            program="python3 " + self.path, trials=3, repeats=1, parallel=1))
        refused = self.service.cli("run", "--config", path, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("repeats: must be a whole number from 2 to 100, or AUTO",
                      refused.stderr)


if __name__ == "__main__":
    unittest.main()
