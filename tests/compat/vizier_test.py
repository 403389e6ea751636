"""The stock google-vizier client runs its own tests against us."""

import os
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
WHOLE_RUN_SKIPPED = 77


class VizierTest(unittest.TestCase):
    def test_the_stock_client_passes_its_own_tests(self):
        result = subprocess.run([os.path.join(HERE, "vizier", "run")],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=1000)
        if result.returncode == WHOLE_RUN_SKIPPED:
            self.skipTest(result.stdout.strip().splitlines()[0])
        self.assertEqual(result.returncode, 0, result.stdout[-8000:])
        self.assertRegex(result.stdout.splitlines()[-1], r"^[1-9]\d* passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
