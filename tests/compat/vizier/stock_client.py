"""Runs the tests that google-vizier's wheel packs against our service.

Prints each skip with its reason, and last "N passed, N failed, N skipped".
"""

import contextlib
import importlib
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))

import service  # noqa: E402
import stand_ins  # noqa: E402

# Test classes of the wheel, unchanged.
RUN = (
    ("vizier._src.service.clients_test", "VizierClientTestOnDefaultServer"),
    ("vizier._src.service.performance_test", "PerformanceTest"),
)
SKIPPED = (
    ("clients_test.VizierClientTest", "is the base of the other classes and has no server"),
    ("clients_test.VizierClientTestOnServicer",
     "tests the reference's servicer inside the process, without a wire"),
    ("clients_test.VizierClientTestOnDistributedPythiaServer",
     "tests the reference's second server process for algorithms"),
    ("vizier_client_test.VizierClientTest",
     "writes into the reference's datastore behind its service"),
)


def load():
    suite = unittest.TestSuite()
    for module, name in RUN:
        case = getattr(importlib.import_module(module), name)
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    return suite


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    with service.Service() as running:
        stand_ins.install(running.endpoint)
        from absl import flags
        flags.FLAGS(sys.argv[:1])  # absl's tests read flags.
        suite = load()
        if pattern:
            suite = unittest.TestSuite(
                case for case in suite if pattern in case.id())
        if suite.countTestCases() == 0:
            raise SystemExit(f"no case is called {pattern!r}")
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
        if not result.wasSuccessful():
            with contextlib.suppress(OSError):
                print(running.log())
    for name, reason in SKIPPED:
        print(f"skipped: {name}: it {reason}")
    for case, reason in result.skipped:
        print(f"skipped: {case.id()}: {reason}")
    failed = len(result.failures) + len(result.errors)
    skipped = len(SKIPPED) + len(result.skipped)
    passed = result.testsRun - failed - len(result.skipped)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
