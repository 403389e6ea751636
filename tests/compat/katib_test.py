"""A controller like Katib's tunes with our engine, over a real channel."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import clients  # noqa: E402


class KatibTest(unittest.TestCase):
    def test_a_controller_tunes_over_a_channel(self):
        # The environment of this name has gRPC for Python.
        result = subprocess.run(
            [clients.python("vizier"), os.path.join(HERE, "katib", "controller.py")],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=600, check=False)
        self.assertEqual(result.returncode, 0, result.stdout[-8000:])
        self.assertIn("all answered", result.stdout)

    @unittest.skipUnless("VERNIER_KATIB_SOURCES" in os.environ,
                         "VERNIER_KATIB_SOURCES names no copy of kubeflow/katib")
    def test_katibs_unit_tests_pass_over_a_channel(self):
        # The environment of this name has gRPC for Python and pytest.
        result = subprocess.run(
            [clients.python("optuna_storage"), os.path.join(HERE, "katib", "their_tests.py"),
             os.environ["VERNIER_KATIB_SOURCES"]],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=600, check=False)
        self.assertEqual(result.returncode, 0, result.stdout[-8000:])
        # The four look inside of Katib's own service.
        self.assertRegex(result.stdout, r"29 passed, 4 skipped[^$]*2 passed")


if __name__ == "__main__":
    unittest.main()
