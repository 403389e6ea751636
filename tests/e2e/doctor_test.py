"""`vernier doctor`, which looks whether a machine has what a service needs."""

import json
import os
import subprocess
import tempfile
import unittest

from service import binary


def doctor(data_dir, **variables):
    done = subprocess.run(
        [binary(), "doctor", "--data-dir", data_dir, "--format", "json"], text=True,
        capture_output=True, check=False, timeout=60, env={**os.environ, **variables})
    found = json.loads(done.stdout)
    return done.returncode, {one["subject"]: one for one in found}


class DoctorTest(unittest.TestCase):
    def test_a_machine_that_runs_these_tests_is_good_enough(self):
        with tempfile.TemporaryDirectory() as folder:
            status, found = doctor(os.path.join(folder, "not/there/yet"))
            self.assertEqual(os.listdir(folder), [], "it changes nothing")
        self.assertEqual(status, 0, found)
        self.assertEqual({"disk", "socket", "clock", "GPUs", "Slurm"} - set(found), set())

    def test_what_cannot_work_is_a_fault_with_a_remedy(self):
        with tempfile.TemporaryDirectory() as folder:
            status, found = doctor(os.path.join(folder, "d" * 120))
        self.assertEqual(status, 1)
        self.assertEqual(found["socket"]["grade"], "fault")
        self.assertIn("shorter data directory", found["socket"]["whatToDo"])

    def test_missing_programs_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            _, found = doctor(folder, PATH=folder)
        self.assertEqual(found["containers"]["grade"], "note")
        self.assertEqual(found["Python"]["grade"], "note")


if __name__ == "__main__":
    unittest.main()
