"""The stock google-vizier client runs its own tests against us."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import clients  # noqa: E402


class VizierTest(unittest.TestCase):
    def test_the_stock_client_passes_its_own_tests(self):
        result = subprocess.run(
            [clients.python("vizier"), os.path.join(HERE, "vizier", "stock_client.py")],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=1000, check=False)
        self.assertEqual(result.returncode, 0, result.stdout[-8000:])
        self.assertRegex(result.stdout.splitlines()[-1], r"^[1-9]\d* passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
