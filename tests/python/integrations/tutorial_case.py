"""Runs a tutorial that shows another tool's script beside ours, that script included."""

import os
import sys
import tempfile

from package import ROOT, SOURCES, ServiceCase, binary

sys.path.insert(0, os.path.join(ROOT, "tests", "compat"))
import documented_page  # noqa: E402


class TutorialCase(ServiceCase):
    """Pages are run by this interpreter, which has the other tool."""

    def run_page(self, name, tool):
        """Returns what each block of docs/NAME printed."""
        with tempfile.TemporaryDirectory(prefix="vernier-") as home:
            programs = os.path.join(home, "bin")
            os.makedirs(programs)
            os.symlink(binary(), os.path.join(programs, "vernier"))
            work = os.path.join(home, "work")
            os.makedirs(work)
            path = [programs, os.path.dirname(sys.executable), os.environ["PATH"]]
            # Neither tool is to call anybody.
            environment = {**os.environ, "HOME": home, "PATH": ":".join(path),
                           "PYTHONPATH": SOURCES, "RAY_USAGE_STATS_ENABLED": "0",
                           "WANDB_ERROR_REPORTING": "false"}
            return documented_page.run(
                os.path.join(ROOT, "docs", name), work, environment, tools=(tool,))
