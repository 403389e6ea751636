#!/usr/bin/python3
"""The long cases of jobs on a real Slurm cluster, for scripts/check slurm; the
short ones are tests/e2e/slurm_test.py.

Whatever is killed, in every case: never two live attempts of a trial, nothing
lost, no job left in the queue.
"""

import os
import random
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "e2e")]
import lab as slurm_lab  # noqa: E402
from service import Service, wait_for  # noqa: E402

PATIENCE = 600.0
PROGRAM = """#!/bin/sh
echo "start $VERNIER_TRIAL $VERNIER_ATTEMPT $(date +%s%N)" >> {notes}
sleep {seconds}
echo "end $VERNIER_TRIAL $VERNIER_ATTEMPT $(date +%s%N)" >> {notes}
echo loss=$VERNIER_TRIAL
"""
JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  command: [{program}]
  retry: {{maxInfrastructureRetries: 100}}
  {more}
"""


class Bed(unittest.TestCase):
    extra_conf = ""  # For slurm.conf.

    def setUp(self):
        why = slurm_lab.missing()
        if why:
            self.skipTest(why)
        self.lab = slurm_lab.Lab()
        if self.extra_conf:
            path = os.path.join(self.lab.root, "extra.conf")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.extra_conf)
            self.lab.settings["LAB_EXTRA_CONF"] = path
        self.lab.start()
        self.addCleanup(self.lab.stop)
        self.service = Service("--launcher", "slurm", "--gpus", "none")
        self.addCleanup(self.service.__exit__)
        self.service.start()
        self.notes = os.path.join(self.lab.shared, "notes")
        seed = int(os.environ.get("VERNIER_SEED", time.time_ns() % 1_000_000))
        print(f"VERNIER_SEED={seed}", file=sys.stderr)
        self.random = random.Random(seed)

    def submit(self, trials, seconds=1, more=""):
        program = self.service.write(
            "program.sh", PROGRAM.format(notes=self.notes, seconds=seconds), 0o755)
        self.service.submit("job", JOB.format(
            trials=trials, program=program, more=more, parallel=min(6, trials)))

    def started(self):
        try:
            with open(self.notes, encoding="utf-8") as file:
                return file.read().count("start ")
        except FileNotFoundError:
            return 0

    def await_end(self):
        return wait_for("the job's end", lambda: (
            lambda state: state if state in ("SUCCEEDED", "FAILED") else None)(
                self.service.job("job")["state"]), PATIENCE)

    def check(self, trials):
        self.assertEqual(self.await_end(), "SUCCEEDED", self.service.cli("why", "job").stdout)
        results = self.service.json("trials", "list", "job")
        self.assertEqual([t["finalMeasurement"]["value"] for t in results],
                         [float(number) for number in range(1, trials + 1)])
        wait_for("the queue to be empty", lambda: self.lab.queue() == [], PATIENCE)
        self.check_no_trial_ran_twice_at_once()

    def check_no_trial_ran_twice_at_once(self):
        runs = {}
        with open(self.notes, encoding="utf-8") as file:
            for line in file:
                what, trial, attempt, at = line.split()
                runs.setdefault(trial, {}).setdefault(attempt, {}).setdefault(
                    what, []).append(int(at))
        for trial, attempts in runs.items():
            for attempt, times in attempts.items():
                self.assertEqual(len(times["start"]), 1, f"trial {trial}, {attempt}")
            # One without an end was killed; it ended before the next began, as
            # far as that can be told.
            ordered = sorted(attempts.values(), key=lambda times: times["start"][0])
            for before, after in zip(ordered, ordered[1:]):
                self.assertLess(before.get("end", [0])[0], after["start"][0], trial)


class SlurmCases(Bed):
    def test_the_service_is_killed_at_random(self):
        self.submit(trials=24)
        for _ in range(12):
            time.sleep(self.random.uniform(0.05, 2.5))
            self.service.kill()
            self.service.start()
        self.check(24)

    def test_the_controller_is_killed_under_load(self):
        self.submit(trials=24, seconds=2)
        for _ in range(4):
            time.sleep(self.random.uniform(1, 4))
            self.lab.run("ctld-stop", "KILL")
            self.lab.run("ctld-start")
        self.check(24)

    def test_slurms_time_limit_is_a_cause_of_its_own(self):
        self.submit(trials=1, seconds=300, more="slurm: {timeLimit: 60s}")
        self.assertEqual(self.await_end(), "FAILED")
        why = self.service.cli("why", "job", "1").stdout
        self.assertIn("time_limit", why)
        self.assertIn("TIMEOUT", why)


class ForgetfulControllerCases(Bed):
    """A controller that forgets what ended within seconds, and keeps no accounts."""

    extra_conf = "MinJobAge=2\n"

    def test_ends_while_nobody_looks_are_found(self):
        self.submit(trials=6, seconds=3)
        wait_for("all to run", lambda: self.started() == 6, PATIENCE)
        self.service.kill()
        wait_for("the controller to forget",
                 lambda: self.lab.queue("all") == [], PATIENCE)
        self.service.start()
        self.check(6)
        self.assertEqual(self.started(), 6)


if __name__ == "__main__":
    unittest.main()
