"""The types, the unit tests and the size of the dashboard's page."""

import gzip
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEB = os.path.join(ROOT, "web")


@unittest.skipUnless(shutil.which("node") and shutil.which("npm"),
                     "there is no Node.js")
class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stamp = os.path.join(WEB, "node_modules/.package-lock.json")
        lock = os.path.join(WEB, "package-lock.json")
        if not os.path.exists(stamp) or os.path.getmtime(stamp) < os.path.getmtime(lock):
            subprocess.run(["npm", "ci", "--loglevel=error"], cwd=WEB, check=True)

    def run_in_web(self, *command):
        result = subprocess.run(command, cwd=WEB, capture_output=True, text=True,
                                timeout=600)
        self.assertEqual(result.returncode, 0, (result.stdout + result.stderr)[-6000:])
        return result.stdout

    def test_the_types_fit(self):
        self.run_in_web("npm", "run", "--silent", "check")

    def test_the_unit_tests_pass(self):
        self.run_in_web("npm", "--silent", "test")

    def test_the_committed_page_is_what_is_built_and_small(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_in_web("node", "build.mjs", folder)  # It checks the size, too.
            self.run_in_web("diff", "-r", folder, "page")
            packed = sum(
                len(gzip.compress(pathlib.Path(where, name).read_bytes()))
                for where, _, names in os.walk(folder) for name in names
                if name.endswith((".html", ".js", ".css")))
        self.assertGreater(packed, 1000)
        self.assertLessEqual(packed, 100 * 1024)

    def test_no_package_names_where_it_came_from(self):
        for lock in ("web", "tests/browser"):
            with open(os.path.join(ROOT, lock, "package-lock.json"), encoding="utf-8") as file:
                self.assertNotIn('"resolved"', file.read())


if __name__ == "__main__":
    unittest.main()
