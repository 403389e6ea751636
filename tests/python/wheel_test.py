"""The wheel: installed where there is nothing else, without a network."""

import filecmp
import json
import os
import subprocess
import sys
import tempfile
import unittest

from package import ROOT, binary
from start_test import FIVE_LINES, SHOW, HomeCase


class WheelTest(HomeCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="vernier-")
        cls.wheel = cls.build("one")
        cls.environment_folder = os.path.join(cls.folder.name, "environment")
        subprocess.run([sys.executable, "-m", "venv", cls.environment_folder], check=True)
        subprocess.run(
            [os.path.join(cls.environment_folder, "bin", "pip"), "install", "--quiet",
             "--no-index", "--no-cache-dir", cls.wheel], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def build(cls, name):
        return subprocess.run(
            [sys.executable, os.path.join(ROOT, "python", "build_wheel.py"), "--binary",
             binary(), "--out", os.path.join(cls.folder.name, name)],
            check=True, stdout=subprocess.PIPE).stdout.decode().strip()

    def setUp(self):
        super().setUp()
        del self.environment["VERNIER_BINARY"]
        self.environment["PATH"] = "/usr/bin:/bin"

    def run_in_environment(self, *words):
        return subprocess.run(
            [os.path.join(self.environment_folder, "bin", words[0]), *words[1:]],
            env=self.environment, check=True, stdout=subprocess.PIPE,
            cwd=self.home).stdout.decode()

    def test_the_five_lines_run(self):
        printed = json.loads(self.run_in_environment("python", "-c", FIVE_LINES + SHOW))
        self.assertEqual(printed[-1], 20)
        # The command of the environment finds the same study.
        self.assertIn(printed[0], self.run_in_environment("vernier", "studies", "list"))
        self.assertIn("vernier", self.run_in_environment("python", "-m", "vernier_hpo",
                                                         "version"))

    def test_a_process_can_be_a_trial(self):
        path = os.path.join(self.home, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("import vernier_hpo as vn\n"
                       "def objective(trial):\n"
                       "    return trial.params['x']\n"
                       "if __name__ == '__main__':\n"
                       "    print(vn.run(objective, {'x': vn.Float(0, 1)}, 2)"
                       ".state)\n")
        self.assertEqual(self.run_in_environment("python", path), "SUCCEEDED\n")

    def test_the_same_inputs_give_the_same_bytes(self):
        self.assertTrue(filecmp.cmp(self.wheel, self.build("two"), shallow=False))

    def test_another_binary_is_refused(self):
        result = subprocess.run(
            [sys.executable, os.path.join(ROOT, "python", "build_wheel.py"), "--binary",
             "/bin/echo", "--out", self.folder.name], check=False,
            stderr=subprocess.PIPE)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"but the package is", result.stderr)


if __name__ == "__main__":
    unittest.main()
