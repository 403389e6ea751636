"""The dashboard in a real browser, on a real service."""

import os
import shutil
import subprocess
import unittest

from service import DEADLINE, ROOT, Service, free_port

BROWSER = os.path.join(ROOT, "tests/browser")

QUADRATIC = """
trainingInput:
  region: local
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: 2
    params:
    - {{parameterName: lr, type: DOUBLE, minValue: 0.0001, maxValue: 1, scaleType: UNIT_LOG_SCALE}}
    - {{parameterName: layers, type: INTEGER, minValue: 1, maxValue: 5, scaleType: UNIT_LINEAR_SCALE}}
    - {{parameterName: optimizer, type: CATEGORICAL, categoricalValues: [sgd, adam]}}
vernier:
  seed: 1
  command: [/usr/bin/python3, {program}]
"""

PROGRAM = """
import argparse, math, time
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
parser.add_argument("--layers", type=int)
parser.add_argument("--optimizer")
args = parser.parse_args()
final = (math.log10(args.lr) + 2) ** 2 + (args.layers - 3) ** 2 / 4 + (args.optimizer == "sgd")
for step in range(1, 21):
    print(f"step={step} loss={final + 1 / step}", flush=True)
    time.sleep(PAUSE)
"""


def install():
    """The packages that tests/browser/package-lock.json names."""
    stamp = os.path.join(BROWSER, "node_modules/.package-lock.json")
    lock = os.path.join(BROWSER, "package-lock.json")
    if os.path.exists(stamp) and os.path.getmtime(stamp) >= os.path.getmtime(lock):
        return
    subprocess.run(["npm", "ci", "--loglevel=error"], cwd=BROWSER, check=True)


def run(script, *args):
    """Runs a test in the browser; it fails by its exit status."""
    result = subprocess.run(
        ["node", os.path.join(BROWSER, script), *args], cwd=BROWSER,
        capture_output=True, text=True, timeout=5 * DEADLINE)
    if result.returncode != 0:
        raise AssertionError(f"{script}:\n{result.stdout}{result.stderr}"[-6000:])
    return result.stdout


@unittest.skipUnless(shutil.which("node") and shutil.which("chromium"),
                     "there is no Node.js or no Chromium")
class DashboardTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        install()

    def service(self, *flags):
        self.base = f"http://127.0.0.1:{free_port()}"
        return Service("--http", self.base.removeprefix("http://"), *flags)

    @staticmethod
    def address(service, *args):
        """A fresh address to sign in with."""
        return service.cli("ui", *args, "--no-browser").stdout.strip()

    def submit(self, service, name, trials, pause=0.0):
        program = service.write("program.py", PROGRAM.replace("PAUSE", str(pause)))
        service.submit(name, QUADRATIC.format(trials=trials, program=program))

    def test_who_may_see_and_do_what(self):
        with self.service() as service:
            self.submit(service, "digits", 4)
            token = service.cli("tokens", "create", "--scope", "project-read",
                                "--project", "default").stdout.strip()
            run("sign_in.mjs", self.address(service), self.base, token)

    def test_a_run_is_watched_across_a_kill_of_the_service(self):
        with self.service() as service:
            browser = subprocess.Popen(
                ["node", os.path.join(BROWSER, "live_run.mjs"), self.address(service),
                 self.base], cwd=BROWSER, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True)
            try:
                for word in browser.stdout:
                    if word == "submit\n":
                        self.submit(service, "watched", 12, pause=0.2)
                    elif word == "kill\n":
                        service.kill()
                    elif word == "start\n":
                        service.start()
                _, errors = browser.communicate(timeout=DEADLINE)
            finally:
                browser.kill()
            self.assertEqual(browser.returncode, 0, errors[-6000:])

    def test_every_view_in_every_look(self):
        with self.service() as service:
            self.submit(service, "digits", 12)
            service.wait_state("digits", "SUCCEEDED")
            run("views.mjs", self.address(service), self.base, "digits", "3")


if __name__ == "__main__":
    unittest.main()
