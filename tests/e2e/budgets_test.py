"""Budgets are not burnt in silence: what a job does whose programs fail, crash or
report something else than what is tuned, and what it says meanwhile."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import DEADLINE, Service, binary, wait_for  # noqa: E402

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: {tag}
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 3
  command: [{command}]
  {more}
"""

REPORTS = """printf '{"global_step": "1", "loss": "%s", "timestamp": 1.5}\\n' "$2" \\
  > "$CLOUD_ML_HP_METRIC_FILE"
"""


class BudgetsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())

    def config(self, body, name="job", tag="loss", trials=100, parallel=1, more=""):
        """A job file whose program is a shell script: --x X are its arguments."""
        program = self.service.write(f"{name}.sh", "#!/bin/sh\n" + body, 0o755)
        return self.service.write(f"{name}.yaml", CONFIG.format(
            tag=tag, trials=trials, parallel=parallel, command=program, more=more))

    def run_job(self, config, name="job"):
        return self.service.cli("run", "--config", config, "--name", name, check=False)

    def trials(self, name="job"):
        return self.service.json("trials", "list", name)

    def why(self, *args):
        return self.service.cli("why", *args).stdout

    def wait_pause(self, name="job"):
        def paused():
            # It may be on its way still.
            if not any(job["jobId"] == name for job in self.service.json("jobs", "list")):
                return None
            job = self.service.job(name)
            return job if job["vernier"].get("wanted") == "PAUSE" else None

        return wait_for("the pause", paused)

    def test_a_mistyped_metric_pauses_the_job_and_names_the_nearest(self):
        done = self.run_job(self.config(REPORTS, tag="los"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(self.trials()), 3)
        advice = 'it reported: "loss" (HYPERTUNE_FILE); did you mean "loss"?'
        for text in (done.stderr, self.service.job("job")["errorMessage"],
                     self.why("job"), self.why("job", "1")):
            self.assertIn(advice, text)
        self.assertIn("paused", done.stderr)

    def test_while_it_runs_it_says_that_the_metric_is_missing(self):
        go = os.path.join(self.service.home, "go")
        config = self.config(
            f'[ "$CLOUD_ML_TRIAL_ID" = 1 ] || while [ ! -e {go} ]; do sleep 0.05; done\n'
            + REPORTS, tag="los")
        self.service.cli("jobs", "submit", "training", "job", "--config", config)
        job = wait_for("the second trial", lambda: (
            lambda job: job if len(job["trainingOutput"].get("trials", [])) == 2
            else None)(self.service.job("job")))
        self.assertIn('"loss" (HYPERTUNE_FILE); did you mean', job["errorMessage"])
        self.assertIn('"loss" (HYPERTUNE_FILE); did you mean', self.why("job"))
        self.service.write("go", "")

    def test_a_job_without_any_value_has_failed_with_its_programs_last_words(self):
        done = self.run_job(self.config("echo the log says this\n", trials=2))
        self.assertEqual(done.returncode, 1)
        job = self.service.job("job")
        self.assertEqual(job["state"], "FAILED")
        for text in (done.stderr, job["errorMessage"]):
            self.assertIn('no trial has a value of the metric "loss"', text)
            self.assertIn("the log says this", text)

    def test_reports_that_nobody_understands_are_named(self):
        done = self.run_job(self.config(
            'echo "loss=0.5" > "$CLOUD_ML_HP_METRIC_FILE"\n', trials=1))
        self.assertEqual(done.returncode, 1)
        problem = "a line of the metric file is not a JSON object: loss=0.5"
        self.assertIn(problem, done.stderr)
        self.assertIn(problem, self.why("job", "1"))
        self.assertEqual(self.trials()[0]["metricProblems"], [problem])

    def test_pythons_json_is_understood(self):
        write = ("import json, os, sys\n"
                 "with open(os.environ['CLOUD_ML_HP_METRIC_FILE'], 'w') as file:\n"
                 "    json.dump({'loss': float('nan'), 'global_step': 1}, file)\n"
                 "    file.write('\\n')\n"
                 "    json.dump({'loss': float(sys.argv[2]), 'global_step': 2}, file,\n"
                 "              indent=2)\n")
        program = self.service.write("report.py", write)
        done = self.run_job(self.config(f'python3 {program} "$@"\n', trials=2))
        self.assertEqual(done.returncode, 0, done.stderr)
        for trial in self.trials():
            self.assertEqual(trial["finalMeasurement"]["step"], "2")
            self.assertNotIn("metricProblems", trial)

    # x > 0.8 crashes, two trials at a time: the retries of one trial are no row of
    # failures, and what works goes on.
    def test_crashes_in_a_part_of_the_space_pause_nothing(self):
        points = ", ".join(f"{{x: {x}}}" for x in (0.9, 0.1, 0.95, 0.2, 0.85, 0.3))
        config = self.config(
            'case "$2" in 0.8*|0.9*) kill -SEGV $$ ;; esac\n' + REPORTS, trials=6,
            parallel=2, more=f"initialPoints: [{points}]")
        done = self.run_job(config)
        self.assertEqual(done.returncode, 0, done.stderr)
        trials = self.trials()
        self.assertEqual([t["state"] for t in trials], ["FAILED", "COMPLETED"] * 3)
        self.assertEqual([len(t["attempts"]) for t in trials], [4, 1] * 3)

    # The first trial fails and pauses the job, the second crashes after that.
    def test_a_retry_that_waits_for_a_resume_keeps_nobody_waiting(self):
        go = os.path.join(self.service.home, "go")
        config = self.config(
            '[ "$CLOUD_ML_TRIAL_ID" = 1 ] && exit 1\n'
            f"while [ ! -e {go} ]; do sleep 0.05; done\n"
            f"[ -e {go}.on ] || kill -SEGV $$\n" + REPORTS,
            trials=3, parallel=2, more="maxInstantFailures: 1")
        client = subprocess.Popen(
            [binary(), "run", "--config", config, "--name", "job"],
            env={**os.environ, "VERNIER_ENDPOINT": self.service.endpoint},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        try:
            self.wait_pause()
            self.service.write("go", "")
            _, errors = client.communicate(timeout=DEADLINE)
        finally:
            client.kill()
            client.wait()
        self.assertEqual(client.returncode, 1, errors)
        self.assertIn("paused", errors)
        self.assertIn("1 trial waits for the resume to be tried again", self.why("job"))
        self.assertIn("its job to be resumed, when attempt 2 of it is started",
                      self.why("job", "2"))
        self.service.write("go.on", "")
        self.service.cli("jobs", "resume", "job")
        self.service.wait_state("job", "SUCCEEDED")
        # One more, in place of the first.
        self.assertEqual([t["state"] for t in self.trials()],
                         ["FAILED", "COMPLETED", "COMPLETED", "COMPLETED"])

    def test_a_first_trial_that_cannot_be_evaluated_fails_no_study(self):
        body = '[ "$CLOUD_ML_TRIAL_ID" = 1 ] && exit 78\n' + REPORTS
        for name, start in (("run", self.run_job), ("submitted", self.submit)):
            start(self.config(body, name=name, trials=3), name)
            self.service.wait_state(name, "SUCCEEDED")
            self.assertEqual([t["state"] for t in self.trials(name)],
                             ["INFEASIBLE", "COMPLETED", "COMPLETED"])

    def submit(self, config, name):
        return self.service.cli("jobs", "submit", "training", name, "--config", config)

    def test_ai_platforms_rule_is_for_its_own_job_files(self):
        body = '[ "$CLOUD_ML_TRIAL_ID" = 1 ] && exit 1\n' + REPORTS
        self.submit(self.config(body, name="theirs", trials=3), "theirs")
        job = self.service.wait_state("theirs", "FAILED", "SUCCEEDED")
        self.assertEqual(job["state"], "FAILED")
        self.assertIn("the first trial failed, and none had succeeded", job["errorMessage"])
        ours = self.run_job(self.config(body, name="ours", trials=3), "ours")
        self.assertEqual(ours.returncode, 0, ours.stderr)
        self.assertEqual(self.service.job("ours")["vernier"]["maxConsecutiveFailures"], 5)
        kept = self.run_job(self.config(body, name="kept", trials=3,
                                        more="maxConsecutiveFailures: 1"), "kept")
        self.assertEqual(kept.returncode, 1)
        self.assertIn("1 trial failed (vernier.maxConsecutiveFailures", kept.stderr)

    def test_a_trial_keeps_a_bounded_number_of_metric_names(self):
        body = ('awk \'BEGIN { for (i = 0; i < 3000; ++i)'
                ' printf "{\\"name%d\\": 1}\\n", i }\' > "$CLOUD_ML_HP_METRIC_FILE"\n'
                + REPORTS.replace("  > ", "  >> "))
        done = self.run_job(self.config(body, trials=1))
        self.assertEqual(done.returncode, 0, done.stderr)
        trial = self.trials()[0]
        self.assertEqual(len(trial["metrics"]), 101)
        self.assertIn("a trial may report at most 100 metrics", trial["metricProblems"][0])
        self.assertIn("a trial may report at most 100 metrics", self.why("job", "1"))


if __name__ == "__main__":
    unittest.main()
