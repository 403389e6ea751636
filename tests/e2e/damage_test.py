"""Damage to a data directory, as a user meets it, with the real binary."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, binary, wait_for  # noqa: E402

JOB = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 2
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  command: [{command}]
"""


class DamageTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.program = self.service.write_gated_program()
        self.service.submit("job", JOB.format(command=self.program))
        self.service.write("go", "")
        wait_for("the job to end",
                 lambda: self.service.job("job")["state"] == "SUCCEEDED")

    def check(self, *flags):
        return subprocess.run(
            [binary(), "check", "--data-dir", self.service.data, *flags],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def path(self, name):
        return os.path.join(self.service.data, name)

    def flip(self, name, offset):
        with open(self.path(name), "r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 4]))

    def test_check_tells_what_it_found(self):
        busy = self.check()
        self.assertEqual(busy.returncode, 73, busy.stderr)
        self.assertIn("vernier: another service uses", busy.stderr)
        self.service.kill()
        whole = self.check()
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        self.assertIn("2 of trial", whole.stdout)
        self.assertIn("No damage was found", whole.stderr)
        absent = subprocess.run(
            [binary(), "check", "--data-dir", self.path("none")],
            capture_output=True, text=True, timeout=60)
        self.assertEqual(absent.returncode, 2)
        self.assertIn("there is no data directory at", absent.stderr)

    def test_a_flipped_bit_is_refused_and_named(self):
        self.service.process.terminate()
        self.service.process.wait(60)
        self.flip("vernier.db", 4096 * 5 + 4000)
        self.service.start(wait=False)
        self.assertEqual(self.service.process.wait(60), 74)
        log = self.service.log()
        self.assertIn("page 6 of", log)
        self.assertIn("`vernier check`", log)
        found = self.check()
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("page 6 (bytes 20480 to 24575)", found.stdout)
        self.flip("vernier.db", 4096 * 5 + 4000)
        self.assertEqual(self.check().returncode, 0)

    def test_a_log_that_is_cut_is_told(self):
        self.service.kill()
        log = self.path("vernier.db-wal")
        os.truncate(log, os.path.getsize(log) // 2)
        self.assertEqual(self.check().returncode, 1)
        self.service.start()
        self.assertIn("the write-ahead log ends early", self.service.log())
        self.assertIn("the write-ahead log ends early",
                      self.service.cli("info").stdout)
        if self.service.jobs():
            self.assertIn("the write-ahead log ends early",
                          self.service.cli("why", "job").stdout)


if __name__ == "__main__":
    unittest.main()
