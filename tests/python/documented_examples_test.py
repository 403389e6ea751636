"""The pages' Python examples run one after another, and once more: they share a service,
as they do on the machine of somebody who reads."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from package import ROOT, SOURCES, ServiceCase

PAGES = ("README.md", "docs/python.md", "docs/from-optuna.md")
BLOCK = re.compile(r"^(?:<!-- (run|file: \S+) -->\n)?```python\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)


def examples(page):
    """Whole programs of a page that need nothing but the package, and their file names."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        for kind, text in BLOCK.findall(file.read()):
            if "import vernier_hpo as vn\n" in text and "import optuna" not in text:
                yield kind.removeprefix("file: ") if kind.startswith("file") else "", text


class DocumentedExamplesTest(ServiceCase):
    def test_they_do_not_collide(self):
        found = [(page, name, text) for page in PAGES for name, text in examples(page)]
        self.assertGreaterEqual(len(found), 6)
        with tempfile.TemporaryDirectory(prefix="vernier-") as folder:
            for page, name, text in 2 * found:
                path = os.path.join(folder, name or "example.py")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                result = subprocess.run(
                    [sys.executable, "-W", "error::UserWarning", path], cwd=folder,
                    check=False, text=True, timeout=120, capture_output=True, env={
                        **os.environ, "PYTHONPATH": SOURCES,
                        "VERNIER_ENDPOINT": self.service.endpoint})
                self.assertEqual(result.returncode, 0, f"{page}:\n{text}{result.stderr}")


if __name__ == "__main__":
    unittest.main()
