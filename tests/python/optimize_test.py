"""Study.optimize: what an objective may do, and when the loop ends."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from package import SOURCES, ServiceCase, wait_for
import vernier_hpo as vn
from vernier_hpo import TrialState

X = {"x": vn.Float(0, 1)}


def square(trial):
    return (trial.params["x"] - 0.3) ** 2


class OptimizeTest(ServiceCase):
    def test_it_finds_the_minimum(self):
        study = vn.create_study(X)
        study.optimize(square, n_trials=20)
        self.assertLess(study.best_value, 1e-3)
        self.assertEqual(len(study.trials), 20)

    def test_threads_share_the_trials(self):
        study = vn.create_study(X)
        seen, most, lock = set(), [0], threading.Lock()

        def objective(trial):
            with lock:
                seen.add(threading.current_thread().name)
                most[0] += 1
                running = most[0]
            time.sleep(0.02)
            with lock:
                most[0] -= 1
            return square(trial) + 0 * running

        study.optimize(objective, n_trials=40, n_jobs=4)
        trials = study.trials
        self.assertEqual(len(seen), 4)
        self.assertEqual(len({each.params["x"] for each in trials}), 40)
        self.assertEqual({each.state for each in trials}, {TrialState.COMPLETED})

    def test_an_exception_ends_it_and_is_recorded(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number == 3:
                raise RuntimeError("out of memory")
            return square(trial)

        with self.assertRaisesRegex(RuntimeError, "out of memory"):
            study.optimize(objective, n_trials=5)
        states = [each.state for each in study.trials]
        self.assertEqual(states, [TrialState.COMPLETED] * 2 + [TrialState.INFEASIBLE])
        self.assertEqual(study.trials[2].message.splitlines()[0],
                         "RuntimeError: out of memory")
        study.optimize(objective, n_trials=2)
        self.assertEqual(len(study.trials), 5)

    def test_an_exception_in_a_thread_is_raised(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number == 3:
                raise RuntimeError("boom")
            return square(trial)

        with self.assertRaisesRegex(RuntimeError, "boom"):
            study.optimize(objective, n_trials=50, n_jobs=3)
        self.assertLess(len(study.trials), 10)

    def test_caught_exceptions_do_not_end_it(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number % 2 == 0:
                raise ZeroDivisionError("no")
            return square(trial)

        with self.assertLogs("vernier_hpo", "WARNING") as logs:
            study.optimize(objective, n_trials=6, catch=(ZeroDivisionError,))
        self.assertEqual(len(logs.output), 3)
        self.assertEqual([each.value is None for each in study.trials], [False, True] * 3)

    def test_what_is_no_value_is_an_error(self):
        for wrong, message in ((None, "returned None"), ("high", "is no number"),
                               ((1.0, 2.0), "2 values for 1 metrics")):
            study = vn.create_study(X)
            with self.subTest(wrong), self.assertRaisesRegex(Exception, message):
                study.optimize(lambda trial: wrong, n_trials=1)  # noqa: B023
            self.assertEqual(study.trials[0].state, TrialState.INFEASIBLE)
        with self.assertRaisesRegex(TypeError, "no function"):
            study.optimize(3, n_trials=1)
        with self.assertRaisesRegex(ValueError, "n_jobs must be >= 1"):
            study.optimize(square, n_trials=1, n_jobs=0)

    def test_counts_are_whole_numbers(self):
        study = vn.create_study(X)
        for how in ({"n_trials": "5"}, {"n_trials": 2.5}, {"n_trials": 1, "n_jobs": 1.5}):
            with self.subTest(how), self.assertRaisesRegex(TypeError, "whole number"):
                study.optimize(lambda trial: 0.0, **how)
        for how in ({"n_trials": -1}, {"n_trials": 1, "n_jobs": 0}):
            with self.subTest(how), self.assertRaisesRegex(ValueError, "must be >="):
                study.optimize(lambda trial: 0.0, **how)
        # As in Optuna and scikit-learn: one for each processor.
        study.optimize(lambda trial: 0.0, n_trials=3, n_jobs=-1)
        self.assertEqual(len(study.trials), 3)

    def test_catch_is_checked_before_a_trial_runs(self):
        study = vn.create_study(X)
        for catch in (1, "ValueError", [ValueError, 1], KeyboardInterrupt):
            with self.subTest(catch), self.assertRaisesRegex(TypeError, "catch is an"):
                study.optimize(lambda trial: 1 / 0, n_trials=1, catch=catch)
        self.assertEqual(study.trials, [])
        study.optimize(lambda trial: 1 / 0, n_trials=2, catch=[ZeroDivisionError])
        self.assertEqual(len(study.trials), 2)

    def test_exceptions_of_any_kind_are_recorded(self):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError("not even this")

        study = vn.create_study(X)
        for error in (Mute(), ValueError("\udc80 is no text"), ValueError("x" * 10000)):
            def objective(trial, error=error):
                raise error
            with self.assertRaises(type(error)):
                study.optimize(objective, n_trials=1)
        self.assertEqual([str(each.state) for each in study.trials], ["infeasible"] * 3)

    def test_optunas_suggest_is_explained(self):
        study = vn.create_study(X)
        with self.assertRaisesRegex(AttributeError, r'trial.params\["lr"\]'):
            study.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=1)
        self.assertFalse(hasattr(study.ask(), "other"))

    def test_nan_is_no_value(self):
        study = vn.create_study(X)
        study.optimize(lambda trial: float("nan") if trial.number == 1 else 0.5, n_trials=2)
        self.assertEqual([each.value for each in study.trials], [None, 0.5])
        self.assertEqual(study.trials[0].state, TrialState.INFEASIBLE)
        self.assertEqual(study.best_trial.number, 2)

    def test_an_objective_may_stop_its_trial(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number == 1:
                trial.report(0.75, 1)
            raise vn.TrialPruned()

        study.optimize(objective, n_trials=2)
        first, second = study.trials
        self.assertEqual((first.state, first.value), (TrialState.STOPPED, 0.75))
        self.assertEqual(second.message, "stopped before it reported a value")

    def test_early_stopping(self):
        study = vn.create_study(X, seed=1)  # As study_test says of a bad trial.

        def objective(trial):
            value = 2 - 0.1 * trial.number  # Each is the best so far.
            for step in range(1, 11):
                trial.report(value / step if trial.number <= 6 else 9.0, step)
                if trial.should_stop():
                    return None
            return value / 10

        study.optimize(objective, n_trials=8)
        self.assertEqual([each.state for each in study.trials],
                         [TrialState.COMPLETED] * 6 + [TrialState.STOPPED] * 2)

    def test_callbacks_see_each_trial_and_may_end_it(self):
        study = vn.create_study(X)
        seen = []

        def callback(of, trial):
            self.assertIs(of, study)
            seen.append((trial.number, trial.state))
            if len(seen) == 3:
                study.stop()

        study.optimize(square, n_trials=10, callbacks=[callback])
        self.assertEqual(seen, [(i, TrialState.COMPLETED) for i in (1, 2, 3)])
        study.optimize(square, n_trials=1)
        self.assertEqual(len(study.trials), 4)

    def test_time_runs_out(self):
        study = vn.create_study(X)
        begin = time.monotonic()
        study.optimize(lambda trial: time.sleep(0.05) or square(trial), timeout=0.5)
        self.assertGreaterEqual(time.monotonic() - begin, 0.5)
        self.assertGreaterEqual(len(study.trials), 1)

    def test_a_used_up_space_ends_it(self):
        study = vn.create_study({"c": vn.Categorical(["a", "b", "c"])},
                                algorithm="grid")
        study.optimize(lambda trial: 1.0, n_trials=10, n_jobs=2)
        self.assertEqual(sorted(each.params["c"] for each in study.trials),
                         ["a", "b", "c"])
        with self.assertRaises(vn.SpaceUsedUpError):
            study.ask()

    def test_a_trial_that_was_removed_elsewhere_is_passed_over(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number == 2:
                study.abandon(2)
            return square(trial)

        with self.assertLogs("vernier_hpo", "WARNING"):
            study.optimize(objective, n_trials=4)
        self.assertEqual([each.number for each in study.trials], [1, 3, 4])

    def test_a_removed_study_ends_it(self):
        study = vn.create_study(X, name="removed")
        with self.assertRaises(vn.NotFoundError):
            study.optimize(lambda trial: vn.delete_study("removed") or 1.0,
                           n_trials=4)

    def interrupted(self, n_jobs):
        study = vn.create_study(X)
        program = subprocess.Popen(
            [sys.executable, "-c", f"""
import signal, sys, time
import vernier_hpo as vn
# What a shell starts in the background ignores Ctrl-C, and so would this.
signal.signal(signal.SIGINT, signal.default_int_handler)
study = vn.load_study({study.name!r})
def objective(trial):
    if trial.number >= 3:
        print("waits", flush=True)
        time.sleep(60)
    return 1.0
study.optimize(objective, n_trials=9, n_jobs={n_jobs})
"""], env={**os.environ, "PYTHONPATH": SOURCES}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        errors = program.communicate(timeout=30)[1].decode()
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotEqual(program.returncode, 0)
        return study

    def test_ctrl_c_removes_the_trial_that_runs(self):
        study = self.interrupted(n_jobs=1)
        self.assertEqual([each.state for each in study.trials],
                         [TrialState.COMPLETED] * 2)

    def test_ctrl_c_ends_threads_too(self):
        study = self.interrupted(n_jobs=2)
        self.assertIn(len(study.get_trials("state=active")), (1, 2))

        def takes_over():
            study.optimize(square, n_trials=1)
            return {each.state for each in study.trials} == {TrialState.COMPLETED}

        # What the process left behind; on a busy machine its last call comes late.
        wait_for("no open trial", takes_over)

    def test_trials_of_a_killed_process_are_taken_over(self):
        study = vn.create_study(X)
        program = subprocess.Popen(
            [sys.executable, "-c", f"""
import time
import vernier_hpo as vn
study = vn.load_study({study.name!r})
study.optimize(lambda trial: print(trial.number, flush=True) or time.sleep(60), 1)
"""], env={**os.environ, "PYTHONPATH": SOURCES}, stdout=subprocess.PIPE)
        program.stdout.readline()
        # While it lives its trial is its own.
        study.optimize(square, n_trials=1)
        self.assertEqual([each.state for each in study.trials],
                         [TrialState.ACTIVE, TrialState.COMPLETED])
        program.kill()
        program.communicate()
        study.optimize(square, n_trials=1)
        self.assertEqual([each.state for each in study.trials],
                         [TrialState.COMPLETED] * 2)

    def test_two_processes_work_on_one_study(self):
        study = vn.create_study(X)
        programs = [subprocess.Popen(
            [sys.executable, "-c", f"""
import vernier_hpo as vn
study = vn.load_study({study.name!r})
study.optimize(lambda trial: (trial["x"] - 0.3) ** 2, n_trials=15, n_jobs=2)
"""], env={**os.environ, "PYTHONPATH": SOURCES}) for _ in range(2)]
        self.assertEqual([each.wait(60) for each in programs], [0, 0])
        trials = study.trials
        self.assertEqual(len(trials), 30)
        self.assertEqual({each.state for each in trials}, {TrialState.COMPLETED})
        self.assertEqual(len({each.params["x"] for each in trials}), 30)

    def test_a_progress_line(self):
        study = vn.create_study(X, name="line")
        program = subprocess.run(
            [sys.executable, "-c", """
import vernier_hpo as vn
vn.load_study("line").optimize(lambda trial: 1.5, n_trials=3,
                               show_progress_bar=True)
"""], env={**os.environ, "PYTHONPATH": SOURCES}, stderr=subprocess.PIPE, check=True)
        self.assertIn("line: 3/3 trials, best 1.5", program.stderr.decode())
        wait_for("the trials", lambda: len(study.trials) == 3)


if __name__ == "__main__":
    unittest.main()
