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


if __name__ == "__main__":
    unittest.main()
