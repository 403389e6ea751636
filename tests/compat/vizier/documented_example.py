"""The example of docs/vizier.md, run as it stands against our service."""

import contextlib
import io
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))


class ExampleTest(unittest.TestCase):
    endpoint = None  # Set by whoever runs it.

    def test_the_example_of_the_documentation_finds_the_best_trial(self):
        with open(os.path.join(ROOT, "docs/vizier.md"), encoding="utf-8") as file:
            code = re.search(r"```python\n(.*?)```", file.read(), re.DOTALL).group(1)
        place = 'os.path.expanduser("~/.local/share/vernier/vernier.sock")'
        self.assertIn(place, code)
        code = code.replace(place, repr(self.endpoint.removeprefix("unix:")))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, "docs/vizier.md", "exec"), {})
        self.assertIn("'layers': 3", output.getvalue().replace('"', "'"))
