"""The package's types hold strictly, and its syntax is that of Python 3.9."""

import os
import subprocess
import sys
import tempfile
import unittest

from package import ROOT, SOURCES

sys.path.insert(0, os.path.join(ROOT, "tests", "compat"))
import clients  # noqa: E402

USER = """
import vernier
study = vernier.create_study({"x": vernier.Float(0, 1)}, goal="minimize")
study.optimize(lambda trial: 1.0, n_trials=1, catch=ValueError)
best: float = study.best_value
frozen: vernier.FrozenTrial = study.best_trial
reveal_type(study.trials)
wrong: int = study.name
"""


class TypingTest(unittest.TestCase):
    def tool(self, name, *args, cwd=None):
        path = os.path.join(os.path.dirname(clients.python("typing")), name)
        return subprocess.run([path, *args], cwd=cwd, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_mypy_has_nothing_to_say(self):
        result = self.tool("mypy", "--cache-dir", os.devnull,
                           cwd=os.path.join(ROOT, "python"))
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_users_program_is_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "user.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(USER)
            result = self.tool(
                "mypy", "--strict", "--cache-dir", os.devnull, "--config-file",
                os.path.join(ROOT, "python", "pyproject.toml"), path,
                cwd=os.path.join(ROOT, "python"))
        self.assertIn('Revealed type is "builtins.list[vernier._frozen_trial.FrozenTrial]"',
                      result.stdout)
        self.assertIn("Found 1 error", result.stdout)
        self.assertIn("Incompatible types in assignment", result.stdout)

    def test_no_syntax_is_newer_than_python_3_9(self):
        result = self.tool("vermin", "--target=3.9-", "--eval-annotations", "--violations",
                           SOURCES, os.path.join(ROOT, "python", "build_wheel.py"))
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
