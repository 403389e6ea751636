"""Mend, run again: what `vernier run` does with a job that is there."""

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, binary, wait_for  # noqa: E402

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: {metric}
    maxTrials: {trials}
    maxFailedTrials: {trials}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
"""

GOOD = """
import json, os, sys
x = sys.argv[sys.argv.index("--x") + 1]
print("code", CODE if "CODE" in globals() else "good", sys.argv[1:])
with open(os.environ["CLOUD_ML_HP_METRIC_FILE"], "w") as file:
    file.write(json.dumps({"loss": x, "global_step": "1"}) + "\\n")
"""

# Waits for a file; tells by its log which code it is.
GATED = """
import os, time
print("code {code}", flush=True)
while not os.path.exists({gate!r}):
    time.sleep(0.05)
"""


class RerunTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.folder = os.path.join(self.service.home, "work")
        os.makedirs(self.folder)
        self.config()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def config(self, trials=3, metric="loss"):
        self.write("c.yaml", CONFIG.format(trials=trials, metric=metric))

    def run_job(self, *program, name="j", flags=()):
        return self.service.cli("run", "--config", "c.yaml", "--name", name, *flags,
                                *(["--", *program] if program else []),
                                check=False, cwd=self.folder)

    def start_run(self, *program, name="j", flags=(), stderr=None):
        """Runs in the background; what it says goes to a file."""
        with open(os.path.join(self.service.home, "run.log"), "ab") as log:
            return subprocess.Popen(
                [binary(), "run", "--config", "c.yaml", "--name", name, *flags, "--",
                 *program], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=stderr or log,
                env={**os.environ, "VERNIER_ENDPOINT": self.service.endpoint})

    def trials(self, name="j"):
        return self.service.json("trials", "list", name)

    def pinned(self):
        return sorted(os.listdir(os.path.join(self.service.data, "code")))

    def test_a_mended_program_is_what_runs_next(self):
        self.write("train.py", "undefined_name\n")
        failed = self.run_job("python3", "train.py")
        self.assertEqual(failed.returncode, 1, failed.stderr)
        self.assertIn("NameError", failed.stderr)
        before = len(self.trials())
        again = self.run_job("python3", "train.py")
        self.assertEqual(again.returncode, 1)
        self.assertIn("job j goes on; nothing changed", again.stderr)
        self.assertEqual(len(self.pinned()), 1, "copied without need")

        self.write("train.py", GOOD)
        mended = self.run_job("python3", "train.py")
        self.assertEqual(mended.returncode, 0, mended.stderr)
        self.assertIn("job j goes on: new code (version 2)", mended.stderr)
        job = self.service.job("j")
        self.assertEqual(job["state"], "SUCCEEDED")
        # Three of them, as asked for, beside those that failed.
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "3")
        self.assertGreater(len(self.trials()), before)
        self.assertEqual(len(self.pinned()), 1, "the old code lies about")
        versions = [(v["number"], v.get("changes", ""))
                    for v in job["vernier"]["versions"]]
        self.assertEqual(versions, [(1, ""), (2, "new code")])
        last = self.trials()[-1]["trialId"]
        self.assertIn("(version 2)", self.service.cli("why", "j", last).stdout)
        self.assertIn("(version 1)", self.service.cli("why", "j", "1").stdout)
        self.assertIn("version 2", self.service.cli("why", "j").stdout)
        self.assertIn("version 2",
                      self.service.cli("trials", "describe", "j", last).stdout)
        self.assertIn("new code", self.service.cli("jobs", "describe", "j").stdout)
        events = self.service.cli("events", "j").stdout
        self.assertRegex(events, r"The job has a new version: .*new code")

        over = self.run_job("python3", "train.py")
        self.assertEqual(over.returncode, 0)
        self.assertIn("has succeeded, and nothing changed since", over.stderr)
        self.assertIn("OBJECTIVE", over.stdout)
        self.service.cli("jobs", "delete", "j", "--yes")
        self.assertEqual(self.pinned(), [])

    def test_a_typo_in_the_name_of_the_program(self):
        self.write("train.py", GOOD)
        for program in (["python3", "nosuch.py"], ["nosuch"], ["./nosuch"]):
            refused = self.run_job(*program)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("nothing was submitted", refused.stderr)
        self.assertEqual(self.service.cli("jobs", "list").stdout, "")
        mended = self.run_job("python3", "train.py")
        self.assertEqual(mended.returncode, 0, mended.stderr)

    def test_printed_commands_reach_a_projects_job(self):
        self.write("train.py", GOOD)
        flags = ["--project", "p-one"]
        self.assertEqual(self.run_job("python3", "train.py", flags=flags).returncode, 0)
        over = self.run_job("python3", "train.py", flags=flags)
        self.assertIn("job j@p-one has succeeded", over.stderr)
        self.assertIn("vernier jobs extend j@p-one --max-trials N", over.stderr)
        self.assertIn("Best trials of j@p-one:", over.stdout)
        self.service.cli("jobs", "extend", "j@p-one", "--max-trials", "4")

    def test_a_mistyped_job_is_not_found_and_the_nearest_named(self):
        self.write("train.py", GOOD)
        for flags in ((), ("--project", "p-one")):
            self.run_job("python3", "train.py", name="digits", flags=flags)
        for words, hint in ((("jobs", "cancel", "digit"), "did you mean digits?"),
                            (("why", "digit@p-one"), "did you mean digits@p-one?"),
                            (("logs", "digit", "--project", "p-one"),
                             "did you mean digits?")):
            wrong = self.service.cli(*words, check=False)
            self.assertEqual(wrong.returncode, 3, wrong.stderr)
            self.assertTrue(wrong.stderr.endswith(hint + "\n"), wrong.stderr)
        for words in (("why", "digit@p-two"), ("why", "something"),
                      ("trials", "describe", "digits", "9")):
            wrong = self.service.cli(*words, check=False)
            self.assertNotIn("did you mean", wrong.stderr)

    def test_a_program_that_cannot_be_started_never_ran(self):
        # Only the system can tell that such a script does not start.
        self.write("broken", "#!/no/such/interpreter\n")
        os.chmod(os.path.join(self.folder, "broken"), 0o755)
        failed = self.run_job("./broken")
        self.assertEqual(failed.returncode, 1, failed.stderr)
        self.write("train.py", GOOD.replace("loss", "other"))
        self.config(metric="other")  # Even another search.
        mended = self.run_job("python3", "train.py")
        self.assertEqual(mended.returncode, 0, mended.stderr)
        self.assertIn("had not run anything, and begins anew", mended.stderr)
        self.assertEqual(len(self.trials()), 3)

    def test_arguments_environment_and_limits_are_applied(self):
        self.write("train.py", GOOD)
        self.assertEqual(self.run_job("python3", "train.py").returncode, 0)
        told = self.run_job("python3", "train.py", "--fast")
        self.assertEqual(told.returncode, 0)
        self.assertIn("has succeeded, and nothing was run; what differs: command "
                      "changed", told.stderr)
        self.assertEqual(len(self.trials()), 3)
        more = self.run_job("python3", "train.py", "--fast", flags=[
            "--max-trials", "5", "--max-parallel-trials", "2"])
        self.assertEqual(more.returncode, 0, more.stderr)
        for change in ("command changed", "(version 2)", "maxTrials 3 -> 5",
                       "maxParallelTrials unset -> 2"):
            self.assertIn(change, more.stderr)
        self.assertEqual(len(self.trials()), 5)
        self.assertIn("--fast", self.service.cli("trials", "logs", "j", "5").stdout)
        self.assertNotIn("--fast", self.service.cli("trials", "logs", "j", "1").stdout)
        search = self.service.cli("jobs", "describe", "j", "--format",
                                  "value(vernier.maxTrials)").stdout
        self.assertEqual(search.strip(), "5")

    def test_another_search_needs_another_name(self):
        self.write("train.py", GOOD)
        self.assertEqual(self.run_job("python3", "train.py").returncode, 0)
        self.config(metric="accuracy")
        refused = self.run_job("python3", "train.py")
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn('hyperparameterMetricTag was "loss" and is "accuracy"',
                      refused.stderr)
        self.assertIn("a name of its own", refused.stderr)

    def test_a_mistyped_metric_is_corrected_in_the_file(self):
        self.write("train.py", GOOD)
        self.config(metric="los")
        self.assertEqual(self.run_job("python3", "train.py").returncode, 1)
        self.config(metric="loss")
        mended = self.run_job("python3", "train.py")
        self.assertEqual(mended.returncode, 0, mended.stderr)
        self.assertIn("hyperparameterMetricTag los -> loss; 3 trials more",
                      mended.stderr)
        with_value = [trial for trial in self.trials()
                      if "finalMeasurement" in trial]
        self.assertEqual(len(with_value), 3)

    def test_what_the_job_writes_is_not_its_code(self):
        self.write("train.py", GOOD)
        here = ["--job-dir", "out"]
        self.assertEqual(self.run_job("python3", "train.py", flags=here).returncode, 0)
        os.makedirs(os.path.join(self.folder, "out", "1"), exist_ok=True)
        self.write("out/1/model", "weights")
        again = self.run_job("python3", "train.py", flags=here)
        self.assertIn("nothing changed since", again.stderr)

    def test_modules_and_virtual_environments(self):
        self.write("train.py", GOOD)
        module = self.run_job("python3", "-m", "train", name="module")
        self.assertEqual(module.returncode, 0, module.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", "mine"],
                       cwd=self.folder, check=True)
        own = self.run_job("mine/bin/python", "train.py", name="own")
        self.assertEqual(own.returncode, 0, own.stderr)
        os.makedirs(os.path.join(self.folder, "below"))
        beside = self.service.cli(
            "run", "--config", "../c.yaml", "--name", "beside", "--", "python3",
            "../train.py", check=False, cwd=os.path.join(self.folder, "below"))
        self.assertEqual(beside.returncode, 0, beside.stderr)

    def test_two_runs_of_a_new_job_at_once(self):
        self.write("train.py", GOOD)
        both = [self.start_run("python3", "train.py") for _ in range(2)]
        self.assertEqual([run.wait(120) for run in both], [0, 0])

    def test_a_line_that_runs_a_trial_spares_the_log_it_is_sent_to(self):
        self.write("train.py", GOOD)
        self.assertEqual(self.run_job("python3", "train.py").returncode, 0)
        line = self.service.cli("trials", "command", "j", "1").stdout
        log = os.path.join(self.folder, "all.log")
        self.write("all.log", "precious\n")
        with open(log, "ab") as file:
            subprocess.run(["bash", "-c", line], stdout=file, check=True)
        with open(log, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("precious\n"), text)
        self.assertIn("loss", text)

    def test_a_running_job_is_joined_updated_and_restarted(self):
        gate = os.path.join(self.service.home, "go")
        self.config(trials=2)
        self.write("train.py", GATED.format(code="one", gate=gate) + GOOD)
        first = self.start_run("python3", "train.py")
        self.addCleanup(first.kill)
        wait_for("trial 1 to run", lambda: "code one" in self.service.cli(
            "trials", "logs", "j", "1", check=False).stdout)
        self.write("train.py", GATED.format(code="two", gate=gate) + GOOD)
        joined = self.start_run("python3", "train.py")
        said = os.path.join(self.service.home, "run.log")

        def has_said(words):
            with open(said, encoding="utf-8") as file:
                return words in file.read()
        wait_for("what differs", lambda: has_said(
            "job j runs as it was, and what you ask for differs: new code"))
        joined.send_signal(signal.SIGINT)
        self.assertEqual(joined.wait(60), 130)
        self.assertEqual(len(self.trials()[0]["attempts"]), 1)

        updated = self.service.cli("jobs", "update", "j", "--code", self.folder)
        self.assertIn("for the trials to come: new code (version 2)", updated.stderr)
        self.assertEqual(len(self.pinned()), 2, "the attempt runs the old code")
        again = self.service.cli("jobs", "update", "j", "--code", self.folder)
        self.assertIn("is as you ask already", again.stderr)

        self.write("train.py", GATED.format(code="three", gate=gate) + GOOD)
        restarted = self.start_run("python3", "train.py", flags=["--restart"])
        self.addCleanup(restarted.kill)
        wait_for("the restart", lambda: has_said(
            "new code (version 3); 1 trial starts again"))
        wait_for("attempt 2", lambda: "code three" in self.service.cli(
            "trials", "logs", "j", "1", check=False).stdout)
        with open(gate, "w", encoding="utf-8"):
            pass
        self.assertEqual(restarted.wait(60), 0)
        self.assertEqual(first.wait(60), 0)
        trials = self.trials()
        self.assertEqual([a["codeVersion"] for a in trials[0]["attempts"]], [1, 3])
        self.assertEqual([a["codeVersion"] for a in trials[1]["attempts"]], [3])
        self.assertEqual(trials[0]["state"], "COMPLETED")
        self.assertEqual(self.service.job("j")["vernier"]["maxTrials"], 2)
        self.run_job("python3", "train.py")
        self.assertEqual(len(trials), 2)

    def test_ctrl_c_right_after_the_news_leaves_the_job(self):
        gate = os.path.join(self.service.home, "go")
        self.config(trials=1)
        self.write("train.py", GATED.format(code="one", gate=gate) + GOOD)
        for news in ("submitted", "runs", "runs"):
            run = self.start_run("python3", "train.py", stderr=subprocess.PIPE)
            self.addCleanup(run.stderr.close)
            said = next(line for line in run.stderr if b": job j " in line)
            run.send_signal(signal.SIGINT)
            self.assertIn(f"job j {news}", said.decode())
            self.assertEqual(run.wait(60), 130)
            self.assertIn(b"detached; job j goes on", run.stderr.read())
            wait_for("trial 1 to run", lambda: "code one" in self.service.cli(
                "trials", "logs", "j", "1", check=False).stdout)
        with open(gate, "w", encoding="utf-8"):
            pass
        self.service.wait_state("j", "SUCCEEDED")

    def test_a_cancelled_job_goes_on_with_what_is_asked_for_now(self):
        gate = os.path.join(self.service.home, "go")
        self.config(trials=1)
        self.write("train.py", GATED.format(code="one", gate=gate) + GOOD)
        first = self.start_run("python3", "train.py")
        self.addCleanup(first.kill)
        wait_for("trial 1 to run", lambda: "code one" in self.service.cli(
            "trials", "logs", "j", "1", check=False).stdout)
        self.service.cli("jobs", "cancel", "j")
        self.assertIn(self.service.job("j")["state"], ("CANCELLING", "CANCELLED"))
        self.write("train.py", GOOD)
        again = self.run_job("python3", "train.py")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("new code (version 2)", again.stderr)
        self.assertEqual([t["state"] for t in self.trials()],
                         ["STOPPED", "COMPLETED"])
        first.wait(60)

    def test_a_job_without_a_search_starts_again(self):
        self.write("c.yaml", "trainingInput: {}\n")
        self.write("main.py", "raise SystemExit('broken')\n")
        failed = self.run_job("python3", "main.py")
        self.assertEqual(failed.returncode, 1, failed.stderr)
        self.write("main.py", "print('mended')\n")
        mended = self.run_job("python3", "main.py")
        self.assertEqual(mended.returncode, 0, mended.stderr)
        self.assertIn("new code (version 2)", mended.stderr)
        self.assertIn("mended", self.service.cli("trials", "logs", "j", "2").stdout)

    def test_copies_of_a_crash_are_swept(self):
        self.write("train.py", GOOD)
        self.assertEqual(self.run_job("python3", "train.py").returncode, 0)
        kept = self.pinned()
        os.makedirs(os.path.join(self.service.data, "code", "j-orphan"))
        os.makedirs(os.path.join(self.service.data, "code", "j-half.partial"))
        self.service.kill()
        self.service.start()
        self.assertEqual(self.pinned(), kept)


if __name__ == "__main__":
    unittest.main()
