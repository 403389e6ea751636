"""A study file, and none at all, with the real binary."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service  # noqa: E402

PROGRAM = """
import sys
print("got", sys.argv[1:])
print("loss=%s" % float(sys.argv[sys.argv.index("--x") + 1]))
"""


class StudyFileTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.folder = os.path.join(self.service.home, "work")
        os.makedirs(self.folder)
        self.write("train.py", PROGRAM)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def cli(self, *words, check=True, cwd=None):
        return self.service.cli(*words, check=check, cwd=cwd or self.folder)

    def commands(self, job):
        return [self.service.cli("logs", job, str(trial["trialId"])).stdout
                for trial in self.service.json("trials", "list", job)]

    def test_flags_alone_run_a_study_and_save_it(self):
        flags = ("-p", "x=0..1.5", "-p", "kind=a,b", "-m", "loss:min", "-n", "2")
        done = self.cli("run", *flags, "--save", "study.yaml", "--", "python3", "train.py")
        self.assertIn("kind: {choice: [a, b]}", done.stderr)
        states = [trial["state"] for trial in self.service.json("trials", "list", "train")]
        self.assertEqual(states, ["COMPLETED"] * 2)
        # The file runs the same program, also from another folder.
        saved = os.path.join(self.folder, "study.yaml")
        self.cli("run", "--config", saved, "--name", "again", cwd=self.service.home)
        self.assertEqual(len(self.service.json("trials", "list", "again")), 2)
        self.assertEqual(self.service.job("again")["vernier"]["codeDir"], self.folder)
        # It is not overwritten.
        other = self.cli("run", *flags, "--seed", "1", "--save", "study.yaml", "--",
                         "python3", "train.py", check=False)
        self.assertIn("there is a file with another text", other.stderr)

    def test_places_in_the_command_are_filled(self):
        self.write("s.yaml", "run: python3 train.py --x {x} --y={n}\n"
                             "metric: {loss: minimize}\n"
                             "parameters: {x: {float: [0, 1]}, n: {int: [3, 3]}, k: [q, q2]}\n"
                             "trials: 1\n")
        self.cli("run", "--config", "s.yaml")
        logs = self.commands("s")[0]
        self.assertRegex(logs, r"got \['--x', '[0-9.e-]+', '--y=3', '--k', 'q")

    def test_each_form_becomes_the_other(self):
        self.write("s.yaml", "run: python3 train.py\nmetric: {loss: minimize}\n"
                             "parameters: {x: {log: [0.001, 1]}}\ntrials: 2\n")
        job = self.cli("convert", "s.yaml").stdout
        self.assertIn("scaleType: UNIT_LOG_SCALE", job)
        self.write("job.yaml", job)
        study = self.cli("convert", "job.yaml").stdout
        self.write("again.yaml", study)
        self.assertIn("x: {log: [0.001, 1]}", study)
        self.assertEqual(self.cli("convert", "again.yaml").stdout, job)

    def test_mistakes_have_the_places_of_the_file(self):
        self.write("s.yaml", "run: python3 train.py\nmetric: {loss: minimize}\n"
                             "parameters:\n  x: {log: [1, 0.001]}\ntrails: 2\n")
        done = self.cli("run", "--config", "s.yaml", check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("s.yaml:5:1: trails: is no field of a study file; did you mean trials?",
                      done.stderr)
        done = self.cli("run", "-p", "x=1..0", "-m", "loss:min", "-n", "2", "--", "python3",
                        "train.py", check=False)
        self.assertIn("parameters.x.int[0]: must be <= the highest value: 1 > 0", done.stderr)


if __name__ == "__main__":
    unittest.main()
