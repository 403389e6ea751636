"""What the tests of the Python package share: the package itself, and a service."""

import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(ROOT, "python", "src")
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
sys.path.insert(0, SOURCES)

from service import DEADLINE, Service, binary, wait_for  # noqa: E402, F401

# Settings of whoever runs the tests.
for name in [each for each in os.environ if each.startswith("VERNIER_") and
             each not in ("VERNIER_BINARY", "VERNIER_TEST_TIMEOUT")]:
    del os.environ[name]
os.environ["VERNIER_BINARY"] = binary()


def python(code, *args, env=None, check=True, cwd=None, timeout=120):
    """Runs a Python program that can import the package; returns what it printed."""
    result = subprocess.run(
        [sys.executable, "-c", code, *args], cwd=cwd, timeout=timeout, check=False,
        env={**os.environ, "PYTHONPATH": SOURCES, **(env or {})},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if check and result.returncode != 0:
        raise AssertionError(f"ended with {result.returncode}:\n{result.stdout.decode()}"
                             f"{result.stderr.decode()}")
    return result.stdout.decode()


class ServiceCase(unittest.TestCase):
    """Tests that share one service; each makes studies of its own."""

    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.service.start()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def setUp(self):
        os.environ["VERNIER_ENDPOINT"] = self.service.endpoint
        self.addCleanup(os.environ.pop, "VERNIER_ENDPOINT", None)
