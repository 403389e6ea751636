"""What the tests of our plugins for Hydra share: a program, and multiruns of it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import ROOT, Service, binary, wait_for  # noqa: E402


PLUGIN = os.path.join(ROOT, "python/hydra_vernier")
CASES = os.path.join(ROOT, "tests/compat/hydra_cases")
SOURCES = [os.path.join(ROOT, "python/src"), os.path.join(PLUGIN, "src")]

# Waits for a file `go` if it is to; each run leaves a line in `ran`.
PROGRAM = """
import os, time
import hydra

@hydra.main(version_base=None, config_path="conf", config_name="config")
def task(cfg):
    with open("ran", "a") as file:
        file.write(f"{cfg.x}\\n")
    while cfg.gated and not os.path.exists("go"):
        time.sleep(0.05)
    if cfg.x in cfg.bad and not (cfg.once and os.path.exists("mended")):
        raise ValueError(f"x is {cfg.x}")
    if cfg.kind == "pair":
        return [cfg.x, 10 - cfg.x]
    if cfg.kind == "named":
        return {"loss": (cfg.x - 3) ** 2, "size": cfg.x}
    if cfg.kind == "reported":
        import vernier_hpo as vn
        vn.report("value", (cfg.x - 3) ** 2, 1)
        return None
    return (cfg.x - 3) ** 2 + cfg.net.cost

if __name__ == "__main__":
    task()
"""
CONFIG = """
defaults: [_self_, {net: small}]
x: 1
gated: false
once: false
kind: plain
bad: []
"""


class HydraCase(unittest.TestCase):
    """Tests that share a service, each with a folder that has the program."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.interpreter = clients.python("hydra")
        cls.service = Service(*cls.flags)
        cls.service.start()
        cls.addClassCleanup(cls.service.__exit__)

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="vernier-hydra-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name, text in (("app.py", PROGRAM), ("conf/config.yaml", CONFIG),
                           ("conf/net/small.yaml", "cost: 1\n"),
                           ("conf/net/none.yaml", "cost: 0\n")):
            self.write(name, text)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def environment(self):
        return {**os.environ, "VERNIER_BINARY": binary(), "PYTHONPATH": ":".join(SOURCES),
                "VERNIER_ENDPOINT": self.service.endpoint, "HYDRA_FULL_ERROR": "1"}

    def run_program(self, *words):
        return subprocess.run(
            words, cwd=self.folder, env=self.environment(), check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=900)

    def python(self, *words, check=True):
        result = self.run_program(self.interpreter, *words)
        if check:
            self.assertEqual(result.returncode, 0, result.stdout)
        return result

    def multirun(self, *words, check=True):
        return self.python("app.py", "-m", "hydra.sweep.dir=out", *words, check=check).stdout

    def sweep(self, *words, check=True):
        return self.multirun("hydra/sweeper=vernier", "hydra.sweeper.seed=1", *words,
                             check=check)

    def results(self):
        """The sweeper's file, by the YAML of Hydra's environment."""
        printed = self.python("-c", "import json, yaml; print(json.dumps(yaml.safe_load("
                              "open('out/optimization_results.yaml'))))").stdout
        return json.loads(printed)

    def ran(self):
        return sorted(float(each) for each in self.read("ran").split())

    def begin(self, *words):
        """A multirun in the background, which a test kills."""
        process = subprocess.Popen(
            [self.interpreter, "app.py", "-m", "hydra.sweep.dir=out", *words],
            cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def kill_when_running(self, process, count):
        wait_for(f"{count} jobs to run", lambda: os.path.exists(
            os.path.join(self.folder, "ran")) and len(self.ran()) >= count)
        process.kill()
        process.wait()
