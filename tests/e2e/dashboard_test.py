"""The dashboard in a real browser, on a real service."""

import json
import os
import shlex
import shutil
import subprocess
import unittest
import urllib.request

from service import DEADLINE, ROOT, Service, binary, free_port, wait_for

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


# What large_study writes takes some seconds; the page has to bear all of it.
MANY_TRIALS = 100_000

TWO_METRICS = {
    "metrics": [{"metric": "loss", "goal": "MINIMIZE"},
                {"metric": "accuracy", "goal": "MAXIMIZE"}],
    "algorithm": "RANDOM_SEARCH",
    "parameters": [
        {"parameter": "lr", "type": "DOUBLE", "scaleType": "UNIT_LOG_SCALE",
         "doubleValueSpec": {"minValue": 0.001, "maxValue": 1}},
        {"parameter": "layers", "type": "INTEGER",
         "integerValueSpec": {"minValue": "1", "maxValue": "4"}}],
}


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

    def test_every_action_does_what_its_command_does(self):
        with self.service() as service:
            # Two jobs alike: one for the page, one for the commands that it shows.
            # No trial ends by itself, however slow the machine is, since some are
            # to be stopped by hand.
            self.submit(service, "acted", 60, pause=DEADLINE)
            self.submit(service, "twin", 60, pause=DEADLINE)
            page = subprocess.Popen(
                ["node", os.path.join(BROWSER, "actions.mjs"), self.address(service),
                 self.base, "acted"], cwd=BROWSER, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            done = []
            try:
                for line in page.stdout:
                    words = shlex.split(json.loads(line))
                    self.assertEqual(words[0], "vernier")
                    self.assertIn("acted", words)
                    if words[1:3] == ["trials", "stop"]:
                        words[4] = self.active_trial(service, "twin")
                    result = service.cli(
                        *["twin" if word == "acted" else word for word in words[1:]],
                        check=False)
                    if words[1:3] == ["jobs", "cancel"]:
                        service.wait_state("twin", "CANCELLED")
                    done.append(" ".join(words[1:3]))
                    page.stdin.write(
                        "ok\n" if result.returncode == 0 else
                        result.stderr.replace("\n", " ") + "\n")
                    page.stdin.flush()
                    if words[2] == "note":
                        # Not only taken, but the same: quotes, lines and all.
                        self.assertEqual(
                            service.json("studies", "describe", "twin")["note"],
                            service.json("studies", "describe", "acted")["note"])
                _, errors = page.communicate(timeout=DEADLINE)
            finally:
                page.kill()
            self.assertEqual(page.returncode, 0, errors[-6000:])
            self.assertEqual(set(done), {
                "jobs pause", "jobs resume", "jobs extend", "trials add", "jobs update",
                "studies note", "trials stop", "jobs cancel", "jobs delete"})

    @staticmethod
    def active_trial(service, job):
        def active():
            return [trial["trialId"] for trial in service.json("trials", "list", job)
                    if trial["state"] == "ACTIVE"]
        wait_for("a running trial", active)
        return active()[-1]

    def two_metrics(self, service):
        """A study of clients with two metrics, its trials done; returns its number."""
        token = service.cli("tokens", "create", "--scope", "admin").stdout.strip()

        def post(path, body):
            request = urllib.request.Request(
                f"{self.base}/v1/{path}", json.dumps(body).encode(),
                {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return json.load(answer)

        parent = "projects/default/locations/local"
        study = post(f"{parent}/studies?studyId=two", {"studyConfig": TWO_METRICS})["name"]
        trials = post(f"{study}/trials:suggest", {"suggestionCount": 16, "clientId": "c"})
        for number, trial in enumerate(trials["response"]["trials"]):
            post(f"{trial['name']}:complete", {"finalMeasurement": {
                "stepCount": "10", "metrics": [
                    {"metric": "loss", "value": number % 5 / 10},
                    {"metric": "accuracy", "value": number % 7 / 10}]}})
        return [each["studyId"] for each in service.json("studies", "list")
                if each["name"] == study][0]

    def test_what_is_shown_is_saved(self):
        with self.service() as service:
            self.submit(service, "digits", 12)
            two = self.two_metrics(service)
            service.wait_state("digits", "SUCCEEDED")
            run("saving.mjs", self.address(service), self.base, "digits",
                "", "parallel", "curves", "importance", "slices", "contours",
                "calibration", "timeline")
            run("saving.mjs", self.address(service), self.base, two,
                "", "parallel", "pareto")

    def test_what_is_said_about_trials_is_shown(self):
        with self.service() as service:
            program = service.write("program.py", """
import json, os
with open(os.environ["VERNIER_METRICS"], "a") as file:
    if os.environ["CLOUD_ML_TRIAL_ID"] == "1":
        file.write(json.dumps({"attributes": {"checkpoint": "best.pt", "layers": [64, 32]}}) + "\\n")
    file.write(json.dumps({"step": 1, "loss": 0.5}) + "\\n")
""")
            service.submit("said", QUADRATIC.format(trials=2, program=program))
            service.wait_state("said", "SUCCEEDED")
            service.cli("trials", "set-attributes", "said", "1", "looked_at=true")
            service.cli("trials", "note", "said", "1", "the teacher of all others")
            study = self.two_metrics(service)
            service.cli("studies", "set-attributes", study, "data=v3")
            service.cli("trials", "set-attributes", study, "1", "seed=7")
            run("said.mjs", self.address(service), self.base, "said", study)

    def test_a_job_of_several_metrics_and_constraints_is_written(self):
        with self.service() as service:
            self.submit(service, "digits", 2)
            program = service.write("rows.py", "print('loss=1', 'accuracy=1')")
            run("new_job.mjs", self.address(service), self.base, "digits", program)

    def test_the_keyboard_reaches_everything(self):
        with self.service() as service:
            self.submit(service, "digits", 12)
            service.wait_state("digits", "SUCCEEDED")
            run("keyboard.mjs", self.address(service), self.base, "digits")

    def test_a_hundred_thousand_trials(self):
        writer = os.path.join(os.path.dirname(binary()), "bench/large_study")
        if not os.path.exists(writer):
            self.skipTest(f"{writer} is not built")
        service = self.service()
        subprocess.run([writer, service.data, "large", str(MANY_TRIALS), "5"],
                       check=True, capture_output=True)
        with service:
            run("large.mjs", self.address(service), self.base, "large", str(MANY_TRIALS))

    def test_every_view_in_every_look(self):
        with self.service() as service:
            self.submit(service, "digits", 12)
            service.wait_state("digits", "SUCCEEDED")
            run("views.mjs", self.address(service), self.base, "digits", "3")


if __name__ == "__main__":
    unittest.main()
