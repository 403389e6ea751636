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
    enableTrialEarlyStopping: true
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 3
  algorithm: RANDOM_SEARCH
  command: [{command}]
  killGrace: "{grace}"
"""

# The loss falls after the decision, in the grace time.
LAST_WORDS = """trap '{ report 1 9; report 2 8; report 3 7; } > "$metrics"; exit 0' TERM"""

REASON = ("The median rule stopped it at step 2: its best value so far, 8, is above "
          "3, the median of the running averages of the 5 trials that ended and had "
          "reached that step.")


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
        self.assertIn("the 6 trials", self.trial("plain", 7)["message"])

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
            "    enableTrialEarlyStopping: true\n", "").format(
                trials=6, command=path, grace="10s"))
        wait_for("the last report", lambda: (
            lambda trials: len(trials) == 6 and trials[5].get("lastMeasurement"))(
                self.service.json("trials", "list", "patient")))
        self.service.write("go", "")
        job = self.service.wait_state("patient", "SUCCEEDED", "FAILED")
        self.assertFalse(any(trial.get("isTrialStoppedEarly")
                             for trial in job["trainingOutput"]["trials"]))


if __name__ == "__main__":
    unittest.main()
