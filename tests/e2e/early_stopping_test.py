"""Early stopping with the real service and real processes."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, processes_with, wait_for  # noqa: E402

# Trials 1 to 5 report their number as the loss at steps 1 to 4 and end; the
# later ones report two bad values at once and go on until they are stopped.
TRIAL = """#!/bin/sh
report() {{
  printf '{{"global_step": "%s", "loss": "%s", "timestamp": 1.5, "trial": "%s"}}\\n' \\
    "$1" "$2" "$CLOUD_ML_TRIAL_ID"
}}
metrics=$CLOUD_ML_HP_METRIC_FILE
n=$CLOUD_ML_TRIAL_ID
if [ "$n" -le 5 ]; then
  for step in 1 2 3 4; do report "$step" "$n"; done > "$metrics"
  exit 0
fi
echo "$VERNIER_ATTEMPT" >> {home}/started
{on_term}
{{ report 1 9; report 2 8; }} > "$metrics.new"
mv "$metrics.new" "$metrics"
while [ ! -e {home}/go ]; do sleep 0.05; done
exit {code}
"""

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 3
  algorithm: RANDOM_SEARCH
  command: [{command}]
  killGrace: "{grace}"
  earlyStopping: MEDIAN
"""

# The loss is x from step 1 to 9, the last. A trial that starts anew reports the
# first of them and goes on once it may; one that goes on from its checkpoint
# reports the rest.
STEPPER = """#!/bin/sh
n=$CLOUD_ML_TRIAL_ID
kept={home}/checkpoint-$n
step=0
if [ -e "$kept" ]; then step=$(cat "$kept"); fi
echo "$n $VERNIER_RESTART_COUNT $step $VERNIER_ATTEMPT" >> {home}/starts
report() {{
  while [ "$step" -lt "$1" ]; do
    step=$((step + 1))
    printf '{{"global_step": "%s", "loss": "%s", "timestamp": 1.5, "trial": "%s"}}\\n' \\
      "$step" "$x" "$n"
  done >> "$CLOUD_ML_HP_METRIC_FILE.new"
  cp "$CLOUD_ML_HP_METRIC_FILE.new" "$CLOUD_ML_HP_METRIC_FILE.copy"
  mv "$CLOUD_ML_HP_METRIC_FILE.copy" "$CLOUD_ML_HP_METRIC_FILE"
}}
x=$2
trap 'exit 143' TERM
if [ "$step" -eq 0 ]; then
  while [ -e {home}/hold-$n ]; do sleep 0.05; done
  # First: what is reported may be the last that it comes to.
  echo {first} > "$kept"
  report {first}
  while [ ! -e {home}/go-$n ]; do sleep 0.05; done
fi
report 9
exit 0
"""

STEPPER_CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 100}}
vernier:
  seed: 3
  algorithm: RANDOM_SEARCH
  command: [{command}]
  initialPoints: [{points}]
  {section}
"""

# The loss falls after the decision, in the grace time.
LAST_WORDS = """trap '{ report 1 9; report 2 8; report 3 7; } > "$metrics"; exit 0' TERM"""

REASON = ("The median rule stopped it at step 2: its best value so far, 8, is above "
          "3, the median of what 5 earlier trials had on average by then.")


class EarlyStoppingTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())

    def submit(self, name, trials, on_term="", code=0, grace="10s"):
        path = self.service.write(
            f"{name}.sh", TRIAL.format(home=self.service.home, on_term=on_term,
                                       code=code), 0o755)
        self.service.submit(name, CONFIG.format(trials=trials, command=path,
                                                grace=grace))

    def trial(self, job, number):
        return self.service.json("trials", "describe", job, str(number))

    def in_job(self, job, number):
        return next(trial for trial in job["trainingOutput"]["trials"]
                    if trial["trialId"] == str(number))

    def test_trials_of_no_promise_are_stopped_and_keep_their_last_value(self):
        self.submit("plain", trials=7, on_term=LAST_WORDS)
        job = self.service.wait_state("plain", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "7")
        self.assertEqual(job["vernier"].get("ignoredFields", []), [])
        for number in range(1, 6):
            self.assertFalse(self.in_job(job, number).get("isTrialStoppedEarly", False))
        for number in (6, 7):
            trial = self.in_job(job, number)
            self.assertTrue(trial["isTrialStoppedEarly"])
            self.assertEqual(trial["state"], "SUCCEEDED")
            self.assertEqual(trial["finalMetric"],
                             {"trainingStep": "3", "objectiveValue": 7})
        stopped = self.trial("plain", 6)
        self.assertEqual(stopped["state"], "STOPPED")
        self.assertEqual(stopped["endCause"], "stopped_early")
        self.assertEqual(stopped["message"], REASON)
        self.assertEqual([a["state"] for a in stopped["attempts"]], ["KILLED"])
        self.assertIn(REASON, self.service.cli("why", "plain", "6").stdout)
        # The first stopped trial counts, up to its last step, for the second.
        self.assertIn("6 earlier trials", self.trial("plain", 7)["message"])

    def test_a_stop_survives_a_kill_of_the_service(self):
        self.submit("killed", trials=6, on_term="trap '' TERM", code=3, grace="3600s")
        decided = wait_for("the decision", lambda: self.stopping("killed", 6))
        self.service.kill()
        self.service.start()
        self.assertEqual(self.trial("killed", 6)["state"], "STOPPING")
        self.service.write("go", "")
        job = self.service.wait_state("killed", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertTrue(self.in_job(job, 6)["isTrialStoppedEarly"])
        self.assertEqual(self.in_job(job, 6)["finalMetric"],
                         {"trainingStep": "2", "objectiveValue": 8})
        stopped = self.trial("killed", 6)
        self.assertEqual(stopped["message"], decided["message"])
        self.assertEqual(len(stopped["attempts"]), 1, "it was tried again")
        with open(os.path.join(self.service.home, "started"), encoding="utf-8") as file:
            nonces = file.read().split()
        self.assertEqual(len(nonces), 1)
        self.assertEqual(processes_with(set(nonces)), [])

    def stopping(self, job, number):
        trials = self.service.json("trials", "list", job)
        if len(trials) < number:
            return None
        trial = self.trial(job, number)
        return trial if trial["state"] == "STOPPING" else None

    def test_nothing_is_stopped_unless_it_is_asked_for(self):
        path = self.service.write(
            "patient.sh", TRIAL.format(home=self.service.home, on_term="", code=0), 0o755)
        self.service.submit("patient", CONFIG.replace(
            "  earlyStopping: MEDIAN\n", "").format(
                trials=6, command=path, grace="10s"))
        wait_for("the last report", lambda: (
            lambda trials: len(trials) == 6 and trials[5].get("lastMeasurement"))(
                self.service.json("trials", "list", "patient")))
        self.service.write("go", "")
        job = self.service.wait_state("patient", "SUCCEEDED", "FAILED")
        self.assertFalse(any(trial.get("isTrialStoppedEarly")
                             for trial in job["trainingOutput"]["trials"]))


class RulesTest(unittest.TestCase):
    """Jobs whose trials have the losses that their initial points say."""

    def setUp(self):
        self.service = self.enterContext(Service())

    def submit(self, name, points, section, first=1):
        path = self.service.write(
            f"{name}.sh", STEPPER.format(home=self.service.home, first=first), 0o755)
        self.service.submit(name, STEPPER_CONFIG.format(
            trials=len(points), command=path, section=section,
            points=", ".join(f"{{x: {x}}}" for x in points)))

    def trial(self, job, number):
        return self.service.json("trials", "describe", job, str(number))

    def states(self, job):
        return [each["state"] for each in self.service.json("trials", "list", job)]

    def let_run(self, *numbers):
        for number in numbers:
            self.service.write(f"go-{number}", "")

    def starts(self):
        with open(os.path.join(self.service.home, "starts"), encoding="utf-8") as file:
            return [line.split() for line in file]

    def why(self, *words):
        return self.service.cli("why", *words).stdout

    def test_asha_stops_what_is_not_among_the_best_at_its_rung(self):
        self.let_run(1, 2, 3)
        # Each is the best so far, until the last.
        self.submit("asha", [3, 2, 1, 50],
                    "earlyStopping: {rule: ASHA, minSteps: 1, maxSteps: 9}", first=3)
        job = self.service.wait_state("asha", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["vernier"]["earlyStopping"]["rule"], "ASHA")
        self.assertEqual(job["vernier"]["earlyStopping"]["stoppedTrials"], 1)
        stopped = self.trial("asha", 4)
        self.assertEqual(stopped["endCause"], "stopped_early")
        self.assertRegex(stopped["message"], "^ASHA stopped it at step 3: ")
        self.assertIn(stopped["message"], self.why("asha", "4"))

    def test_the_decay_curve_rule_stops_what_cannot_win(self):
        self.let_run(*range(1, 13))
        self.submit("decay", [*range(13, 1, -1), 90],
                    "earlyStopping: DECAY_CURVE", first=6)
        job = self.service.wait_state("decay", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        stopped = self.trial("decay", 13)
        self.assertEqual(stopped["endCause"], "stopped_early")
        self.assertIn("at step 6", stopped["message"])
        self.assertIn(stopped["message"], self.why("decay", "13"))

    def test_enabling_early_stopping_is_the_rule_of_today(self):
        self.let_run(1)
        self.submit("auto", [1], "earlyStopping: AUTO")
        by_field = STEPPER_CONFIG.replace(
            "    params:", "    enableTrialEarlyStopping: true\n    params:")
        self.service.submit("field", by_field.format(
            trials=1, command="/bin/true", section="maxInstantFailures: 9",
            points="{x: 1}"))
        rules = [self.service.job(name)["vernier"]["earlyStopping"]["rule"]
                 for name in ("auto", "field")]
        self.assertEqual(rules, ["AUTO", "AUTO"])
        self.service.wait_state("auto", "SUCCEEDED")

    def test_paused_trials_survive_a_kill_and_the_best_is_resumed(self):
        self.service.write("hold-3", "")
        self.submit("pauses", [3, 5, 4, 2], "canResume: true\n  earlyStopping: "
                    "{rule: ASHA, minSteps: 1, maxSteps: 9}")
        wait_for("trial 3 to run", lambda: self.states("pauses")[2:] == ["ACTIVE"]
                 and len(self.starts()) == 3)
        paused = self.why("pauses", "1")
        self.assertIn("It waits for the stopping rule to resume it", paused)
        self.assertIn("ASHA paused it at step 1: ", paused)
        self.assertIn("2 of them paused", self.why("pauses"))
        self.assertEqual(self.service.job("pauses")["vernier"]["pausedTrials"], 2)
        status = self.service.cli("status").stdout
        self.assertRegex(status, r"(?m)^pauses +1 +PAUSED ")
        self.assertRegex(status, r"(?m)^pauses +3 +ACTIVE ")
        self.assertIn("trial 1  paused", self.service.cli("status", "pauses").stdout)
        self.service.kill()
        self.service.start()
        self.assertEqual(self.why("pauses", "1"), paused)
        self.assertEqual(len(self.starts()), 3, "nothing was started again")
        os.remove(os.path.join(self.service.home, "hold-3"))
        # Trial 1 is the best of the three at the rung, and goes on in place of a new
        # one; then comes trial 4, the best of all.
        wait_for("trial 4 to run", lambda: len(self.starts()) == 5)
        self.let_run(4)
        job = self.service.wait_state("pauses", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual([each[:3] for each in self.starts()],
                         [["1", "0", "0"], ["2", "0", "0"], ["3", "0", "0"],
                          ["1", "1", "1"], ["4", "0", "0"]])
        resumed = self.trial("pauses", 1)
        self.assertEqual(resumed["state"], "COMPLETED")
        self.assertEqual(resumed["finalMeasurement"]["step"], "9")
        self.assertEqual(len(resumed["attempts"]), 2)
        why = self.why("pauses", "1")
        self.assertIn("(paused)", why)
        self.assertIn("ASHA resumes it at step 1: ", why)
        for number, loss in ((2, 5), (3, 4)):
            left = self.trial("pauses", number)
            self.assertEqual((left["state"], left["endCause"]),
                             ("STOPPED", "stopped_early"))
            self.assertEqual(left["finalMeasurement"], {"step": "1", "value": loss})
            self.assertIn("It was not resumed", left["message"])
        self.assertEqual(processes_with({each[3] for each in self.starts()}), [])

    def test_a_target_ends_the_job_as_succeeded(self):
        self.let_run(1, 2)
        self.submit("target", [7, 2, 1, 1, 1], "limits: {target: 2.5}")
        job = self.service.wait_state("target", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(len(self.states("target")), 2)
        self.assertIn("It has done enough: trial 2 has reached the target 2.5 "
                      "(vernier.limits.target): loss = 2.", self.why("target"))

    def test_steps_are_a_budget(self):
        self.let_run(1, 2)
        self.submit("steps", [7, 6, 5, 4, 3], "limits: {maxSteps: 20}", first=5)
        job = self.service.wait_state("steps", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        # The third trial reaches the budget, and would go on for ever.
        self.assertEqual(len(self.states("steps")), 3)
        self.assertIn("its trials have trained 23 of 20 steps", self.why("steps"))
        self.assertEqual(self.trial("steps", 3)["endCause"], "stopped_early")

    def test_mistakes_are_told(self):
        path = self.service.write("wrong.yaml", STEPPER_CONFIG.format(
            trials=1, command="/bin/true", points="{x: 1}",
            section="earlyStopping: ASAH"))
        refused = self.service.cli("jobs", "submit", "training", "wrong", "--config",
                                   path, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("vernier.earlyStopping.rule: must be one of AUTO, MEDIAN, "
                      "DECAY_CURVE, ASHA, HYPERBAND, NONE: ASAH; did you mean ASHA?",
                      refused.stderr)


if __name__ == "__main__":
    unittest.main()
