"""How trials end: by rules of the job, by pauses, by priorities, and with the
service."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

JOB = """
trainingInput:
  jobDir: {home}/out
  scheduling: {{priority: {priority}}}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  command: [{program}]
  seed: 1
{extra}
"""

FINITE = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    algorithm: {algorithm}
    maxTrials: 6
    maxParallelTrials: 1
    params: [{{parameterName: k, type: INTEGER, minValue: 1, maxValue: 3}}]
vernier:
  command: [{program}]
  seed: 1
"""

# Notes each start, and how often it was started before; goes on from its own
# checkpoint; ends well once there is a file "go".
CHECKPOINTS = """#!/bin/sh
dir={home}/out/$CLOUD_ML_TRIAL_ID
mkdir -p $dir
echo $VERNIER_RESTART_COUNT >> $dir/starts
trap 'echo saved >> $dir/checkpoint; exit 0' TERM
while [ ! -e {home}/go ]; do sleep 0.05; done
echo "loss=0.5"
"""


class EndsTest(unittest.TestCase):
    def setUp(self):
        self.service = Service("--gpus", "fake:2")
        self.service.__enter__()
        self.addCleanup(self.service.__exit__, None, None, None)

    def submit(self, program, name="job", trials=1, parallel=1, priority=0, extra=""):
        path = self.service.write(name + ".sh", program.format(home=self.service.home),
                                  0o755)
        config = self.service.write(name + ".yaml", JOB.format(
            home=self.service.home, program=path, trials=trials, parallel=parallel,
            priority=priority, extra=extra))
        self.service.cli("jobs", "submit", "training", name, "--config", config)

    def trial(self, number=1, job="job"):
        for trial in self.service.json("trials", "list", job):
            if int(trial["trialId"]) == number:
                return trial
        raise AssertionError(f"there is no trial {number}")

    def wait_paused(self):
        wait_for("the pause", lambda: self.service.job("job")["vernier"]["wanted"]
                 == "PAUSE")

    def why(self, *words):
        return self.service.cli("why", *words).stdout

    def starts(self, trial=1):
        """The restart counts of the trial's starts."""
        path = os.path.join(self.service.home, "out", str(trial), "starts")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().split()

    def go(self):
        self.service.write("go", "")

    def test_rules_of_the_job_decide(self):
        # By trial: succeeds with status 9, is infeasible by what it prints.
        self.submit("""#!/bin/sh
echo "loss=0.25"
if [ $CLOUD_ML_TRIAL_ID = 1 ]; then exit 9; fi
echo "it diverged" >&2; exit 1
""", trials=2, extra="""  endRules:
  - {exitCodes: [9], action: SUCCEED, reason: The export is known to fail.}
  - {logPattern: 'diverge[ds]', action: INFEASIBLE}
""")
        self.service.wait_state("job", "SUCCEEDED")
        self.assertEqual(self.trial(1)["finalMeasurement"]["value"], 0.25)
        self.assertEqual(self.trial(2)["state"], "INFEASIBLE")
        self.assertIn("It is one of vernier.endRules[1]; its log says: it diverged.",
                      self.why("job", "2"))

    def test_a_training_that_ends_in_nan_is_infeasible(self):
        program = '''#!/bin/sh
        echo "step 1 loss=0.25"
        [ "$CLOUD_ML_TRIAL_ID" = 2 ] && echo "step 2 loss=0.5" && exit
        echo "step 2 loss=nan"
        '''
        self.submit(program, trials=2)
        self.service.wait_state("job", "SUCCEEDED")
        trial = self.trial(1)
        self.assertEqual((trial["state"], trial["endCause"], trial["message"]),
                         ("INFEASIBLE", "not_finite",
                          "its last value of loss was nan at step 2"))
        self.assertNotIn("finalMeasurement", trial)
        self.assertEqual([each["trialId"] for each in
                          self.service.json("trials", "best", "job")], ["2"])
        self.assertIn("its last value of loss was nan at step 2", self.why("job", "1"))
        self.submit(program, name="ignores", extra="  notFiniteEnd: IGNORE")
        self.service.wait_state("ignores", "SUCCEEDED")
        self.assertEqual(self.trial(1, "ignores")["finalMeasurement"]["value"], 0.25)

    def test_a_point_that_a_user_stopped_is_not_tried_again(self):
        program = '''#!/bin/sh
        echo "step 1 loss=0.001"
        [ "$CLOUD_ML_TRIAL_ID" != 1 ] || sleep 1000
        echo "step 2 loss=0.$CLOUD_ML_TRIAL_ID"
        '''
        for algorithm in ("GRID_SEARCH", "RANDOM_SEARCH", "ALGORITHM_UNSPECIFIED"):
            with self.subTest(algorithm=algorithm):
                name = algorithm.lower()
                path = self.service.write(name + ".sh", program, 0o755)
                config = self.service.write(name + ".yaml", FINITE.format(
                    algorithm=algorithm, program=path))
                self.service.cli("jobs", "submit", "training", name, "--config", config)
                wait_for("a value", lambda: "lastMeasurement" in self.trial(1, name))
                self.service.cli("trials", "stop", name, "1")
                self.service.wait_state(name, "SUCCEEDED")
                trials = self.service.json("trials", "list", name)
                points = [each["parameters"]["k"] for each in trials]
                self.assertEqual(sorted(points), [1, 2, 3], "each is tried once")
                self.assertEqual(self.trial(1, name)["endCause"], "stopped_by_user")
                self.assertEqual(self.service.json("trials", "best", name)[0]["trialId"], "2")
                self.assertEqual(self.service.job(name)["vernier"]["trialCounts"],
                                 {"completed": 2, "stopped": 1})

    def test_a_rule_pauses_the_job_with_the_last_lines(self):
        self.submit("""#!/bin/sh
if [ -e {home}/go ]; then echo "loss=1"; exit 0; fi
echo "no licence left"; exit 3
""", extra="  endRules: [{exitCodes: [3], action: PAUSE}]")
        self.wait_paused()
        self.assertIn("no licence left", self.why("job"))
        self.go()
        self.service.cli("jobs", "resume", "job")
        self.service.wait_state("job", "SUCCEEDED")

    def test_the_machines_fault_moves_to_another_gpu_and_fails_no_trial(self):
        self.submit("""#!/bin/sh
echo $CUDA_VISIBLE_DEVICES >> {home}/gpus
if [ $VERNIER_RESTART_COUNT = 0 ]; then
  echo "RuntimeError: CUDA error: uncorrectable ECC error encountered"; exit 1
fi
echo "loss=1"
""", extra="  gpusPerReplica: 1")
        wait_for("the trial", lambda: self.service.json("trials", "list", "job"))
        wait_for("the first end", lambda: "in 5 s and on other GPUs" in
                 self.why("job", "1"))
        self.assertIn("A GPU or its driver failed; its log says: RuntimeError: CUDA "
                      "error: uncorrectable ECC error encountered.", self.why("job", "1"))
        self.service.wait_state("job", "SUCCEEDED")
        with open(os.path.join(self.service.home, "gpus"), encoding="utf-8") as file:
            first, second = file.read().split()
        self.assertNotEqual(first, second)

    def test_a_pause_may_preempt_and_the_trial_goes_on_from_its_checkpoint(self):
        self.submit(CHECKPOINTS)
        wait_for("the start", self.starts)
        self.service.cli("jobs", "pause", "job", "--now")
        wait_for("the end of the attempt", lambda: "preempted" in self.why("job", "1")
                 and "waits for its processes" not in self.why("job", "1"))
        self.assertTrue(os.path.exists(
            os.path.join(self.service.home, "out/1/checkpoint")))
        self.go()
        self.service.cli("jobs", "resume", "job")
        self.service.wait_state("job", "SUCCEEDED")
        self.assertEqual(self.starts(), ["0", "1"])
        self.assertEqual(self.trial()["state"], "COMPLETED")

    def test_a_job_with_a_higher_priority_takes_the_gpus_of_one_that_agreed(self):
        self.submit(CHECKPOINTS, parallel=2, trials=2, priority=1,
                    extra="  gpusPerReplica: 1\n  preemptible: true")
        wait_for("both starts", lambda: self.starts(1) and self.starts(2))
        self.submit("#!/bin/sh\necho loss=1\n", name="urgent", priority=9,
                    extra="  gpusPerReplica: 2")
        self.service.wait_state("urgent", "SUCCEEDED")
        self.go()
        self.service.wait_state("job", "SUCCEEDED")
        self.assertEqual((self.starts(1), self.starts(2)), (["0", "1"], ["0", "1"]))
        self.assertIn("preempted", self.why("job", "1"))

    def test_a_service_may_take_its_trials_with_it(self):
        self.service.stop()
        self.service.flags += ("--on-exit", "preempt")
        self.service.start()
        self.submit(CHECKPOINTS)
        wait_for("the start", self.starts)
        self.service.process.terminate()
        self.assertEqual(self.service.process.wait(60), 0)
        self.assertTrue(os.path.exists(
            os.path.join(self.service.home, "out/1/checkpoint")))
        self.assertIn("no trial runs", self.service.log())
        self.go()
        self.service.start()
        self.service.wait_state("job", "SUCCEEDED")
        self.assertEqual(self.starts(), ["0", "1"])

    def test_the_same_error_in_every_trial_pauses_the_job(self):
        self.submit("""#!/bin/sh
if [ $CLOUD_ML_TRIAL_ID = 99 ]; then exit 0; fi
sleep 0.2; echo "KeyError: 'lr' in trial $CLOUD_ML_TRIAL_ID"; exit 1
""", trials=9, extra="  maxConsecutiveFailures: 0\n  maxInstantFailures: 4")
        self.wait_paused()
        self.assertIn("KeyError: 'lr' in trial 4", self.why("job"))


if __name__ == "__main__":
    unittest.main()
