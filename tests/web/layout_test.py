"""Studies that are hard to show, in a real browser; no service is needed."""

import os
import shutil
import subprocess
import unittest

from page_test import ROOT, WEB

BROWSER = os.path.join(ROOT, "tests/browser")


@unittest.skipUnless(shutil.which("node") and shutil.which("npm") and
                     shutil.which("chromium"), "there is no Node.js or no Chromium")
class LayoutTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stamp = os.path.join(BROWSER, "node_modules/.package-lock.json")
        lock = os.path.join(BROWSER, "package-lock.json")
        if not os.path.exists(stamp) or os.path.getmtime(stamp) < os.path.getmtime(lock):
            subprocess.run(["npm", "ci", "--loglevel=error"], cwd=BROWSER, check=True)

    def test_long_names_tiny_numbers_and_nothing_at_all(self):
        done = subprocess.run(["node", "layout.mjs", os.path.join(WEB, "page")], cwd=BROWSER,
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-6000:])


if __name__ == "__main__":
    unittest.main()
