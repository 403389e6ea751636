"""vernier_hpo.optuna: Optuna's way of writing a search, on our engine."""

import concurrent.futures
import copy
import datetime
import gc
import importlib
import io
import math
import os
import pickle
import sys
import tempfile
import threading
import unittest
import warnings

from package import python
import vernier_hpo as vn
import vernier_hpo.optuna as optuna
from vernier_hpo.integration._watch import Watch
from vernier_hpo.optuna import _signed_rank
from vernier_hpo.optuna._learned_space import LearnedSpace
from vernier_hpo.optuna.distributions import (CategoricalDistribution, FloatDistribution,
                                              IntDistribution)
from vernier_hpo.optuna.exceptions import NotServedError
from vernier_hpo.optuna.trial import TrialState

COMPLETE, PRUNED, FAIL = TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL


def seeded(seed=1, **settings):
    return optuna.samplers.EngineSampler(seed=seed, **settings)


def at_random(seed=1):
    return optuna.samplers.RandomSampler(seed=seed)


def square(trial):
    return (trial.suggest_float("x", -5, 5) - 1) ** 2


def branched(trial):
    x = trial.suggest_float("x", -5, 5)
    if trial.suggest_categorical("kind", ["sgd", "adam"]) == "sgd":
        return x ** 2 + (trial.suggest_float("momentum", 0, 1) - 0.9) ** 2
    return x ** 2 + 0.5 + (trial.suggest_float("beta", 0, 1) - 0.5) ** 2


class Scalar:
    """A number as numpy has it."""

    shape = ()

    def __init__(self, number):
        self._number = number

    def item(self):
        return self._number


class OptunaCase(unittest.TestCase):
    def setUp(self):
        optuna.logging.set_verbosity(optuna.logging.ERROR)

    def study(self, **settings):
        return optuna.create_study(sampler=settings.pop("sampler", at_random()), **settings)


class DefineByRunTest(OptunaCase):
    def test_a_search_finds_the_minimum_and_says_so(self):
        study = self.study(sampler=seeded())
        study.optimize(square, n_trials=15)
        self.assertLess(study.best_value, 1e-3)
        self.assertAlmostEqual(study.best_params["x"], 1, delta=0.1)
        self.assertEqual(study.best_trial.number, min(study.trials, key=lambda t: t.value).number)
        self.assertEqual([each.number for each in study.trials], list(range(15)))

    def test_maximize_goes_the_other_way(self):
        study = self.study(sampler=seeded(), direction="maximize")
        study.optimize(lambda trial: -square(trial), n_trials=12)
        self.assertGreater(study.best_value, -0.05)

    def test_a_seed_repeats_a_search(self):
        points = []
        for _ in range(2):
            study = self.study(sampler=seeded(7))
            study.optimize(branched, n_trials=10)
            points.append([each.params for each in study.trials])
        self.assertEqual(*points)

    def test_conditional_parameters_are_searched_in_their_branch(self):
        study = self.study(sampler=seeded())
        study.optimize(branched, n_trials=25)
        self.assertLess(study.best_value, 0.02)
        for each in study.trials:
            other = {"sgd": "beta", "adam": "momentum"}[each.params["kind"]]
            self.assertNotIn(other, each.params)

    def test_every_kind_of_parameter_has_values_of_its_range(self):
        def objective(trial):
            real = trial.suggest_float("real", 0.1, 0.2)
            rate = trial.suggest_float("rate", 1e-5, 1, log=True)
            stepped = trial.suggest_float("stepped", -0.3, 0.3, step=0.1)
            whole = trial.suggest_int("whole", 3, 9, step=3)
            power = trial.suggest_int("power", 1, 1000, log=True)
            choice = trial.suggest_categorical("choice", ["a", None, True, 3])
            one = trial.suggest_int("one", 4, 4)
            self.assertTrue(0.1 <= real <= 0.2 and 1e-5 <= rate <= 1)
            self.assertAlmostEqual(stepped * 10, round(stepped * 10))
            self.assertIn(whole, (3, 6, 9))
            self.assertIs(type(whole), int)
            self.assertTrue(1 <= power <= 1000)
            self.assertIn(choice, ["a", None, True, 3])
            self.assertEqual(one, 4)
            # The same name again is the same value.
            self.assertEqual(trial.suggest_float("real", 0.1, 0.2), real)
            return real + rate

        for sampler in (seeded(), at_random(), optuna.samplers.QMCSampler(seed=1)):
            study = self.study(sampler=sampler)
            study.optimize(objective, n_trials=8)
            self.assertEqual(len(study.get_trials(states=[COMPLETE])), 8)

    def test_a_new_parameter_begins_in_the_middle_of_its_scale_once(self):
        study = self.study(sampler=seeded())
        first, second = study.ask(), study.ask()
        self.assertEqual(first.suggest_float("x", 0, 1), 0.5)
        self.assertAlmostEqual(first.suggest_float("rate", 1e-4, 1, log=True), 1e-2)
        self.assertEqual(first.suggest_int("k", 1, 9), 5)
        # A trial beside it gets another value.
        self.assertNotEqual(second.suggest_float("x", 0, 1), 0.5)

    def test_older_names_of_suggest_float_work_with_a_warning(self):
        trial = self.study().ask()
        for call in (lambda: trial.suggest_uniform("a", 0, 1),
                     lambda: trial.suggest_loguniform("b", 1e-3, 1),
                     lambda: trial.suggest_discrete_uniform("c", 0, 1, 0.25)):
            with self.assertWarnsRegex(FutureWarning, "older name of suggest_float"):
                call()
        self.assertEqual(trial.distributions["c"], FloatDistribution(0, 1, step=0.25))

    def test_ranges_may_change_from_trial_to_trial(self):
        def objective(trial):
            total = trial.suggest_float("total", 0.1, 1)
            part = trial.suggest_float("part", 0, total)
            self.assertLessEqual(part, total)
            return (total - 0.7) ** 2 + (part - 0.4) ** 2

        study = self.study(sampler=seeded())
        study.optimize(objective, n_trials=25)
        self.assertLess(study.best_value, 0.02)
        space = LearnedSpace(study.trials)
        self.assertEqual(space.distributions["part"].high,
                         max(each.distributions["part"].high for each in study.trials))

    def test_a_kind_a_scale_or_choices_that_change_are_errors_with_the_name(self):
        study = self.study()
        study.ask().suggest_float("x", 0, 1)
        study.ask().suggest_categorical("c", ["a", "b"])
        for declare in (lambda t: t.suggest_int("x", 0, 1),
                        lambda t: t.suggest_float("x", 0.1, 1, log=True),
                        lambda t: t.suggest_categorical("c", ["a", "d"])):
            with self.assertRaisesRegex(ValueError, r"^[xc]: a parameter keeps its"):
                declare(study.ask())

    def test_a_range_that_differs_in_one_trial_is_warned_of(self):
        trial = self.study().ask()
        value = trial.suggest_float("x", 0, 1)
        with self.assertWarnsRegex(RuntimeWarning, "declared as"):
            self.assertEqual(trial.suggest_float("x", 2, 3), value)

    def test_a_space_that_is_used_up_is_drawn_from_again(self):
        study = self.study(sampler=seeded())
        study.optimize(lambda trial: trial.suggest_int("k", 1, 3), n_trials=6)
        self.assertEqual({each.params["k"] for each in study.trials}, {1, 2, 3})

    def test_more_choices_than_the_engine_takes_are_drawn(self):
        study = self.study(sampler=seeded())
        study.optimize(lambda trial: square(trial) + 0 * trial.suggest_categorical(
            "c", list(range(2000))), n_trials=12)
        self.assertGreater(len({each.params["c"] for each in study.trials}), 6)
        self.assertLess(study.best_value, 0.1)  # The engine has the other parameter.

    def test_more_steps_than_doubles_count(self):
        study = self.study(sampler=seeded())
        study.optimize(lambda trial: trial.suggest_int("k", 1, 10 ** 18, step=3) + 10 ** 17 *
                       trial.suggest_float("x", 0, 1, step=1e-17), n_trials=4)
        for trial in study.trials:
            self.assertEqual((trial.params["k"] - 1) % 3, 0)
            self.assertLessEqual(0, trial.params["x"])
            self.assertLessEqual(trial.params["x"], 1)

    def test_a_space_that_the_engine_refuses_says_so_with_the_name(self):
        study = self.study(sampler=seeded())
        with self.assertRaisesRegex(ValueError, "^wide: high - low must be a number that"):
            study.optimize(lambda trial: trial.suggest_float("wide", -1e308, 1e308), n_trials=3)

    def test_an_engine_goes_with_its_study(self):
        sampler = seeded()
        study = self.study(sampler=sampler)
        study.optimize(square, n_trials=3)
        self.assertEqual(len(sampler._searches), 1)
        del study
        gc.collect()
        self.assertEqual(len(sampler._searches), 0)

    def test_failed_and_pruned_trials_teach_the_engine(self):
        def objective(trial):
            x = trial.suggest_float("x", 0, 1)
            if x < 0.3:
                raise ValueError("too small")
            trial.report(x, 1)
            if x > 0.8:
                raise optuna.TrialPruned()
            return x

        study = self.study(sampler=seeded(), pruner=optuna.pruners.NopPruner())
        study.optimize(objective, n_trials=20, catch=ValueError)
        states = {each.state for each in study.trials}
        self.assertIn(COMPLETE, states)
        self.assertTrue(0.3 <= study.best_value <= 0.45)


    def test_a_search_goes_on_after_an_interrupt_as_if_there_was_none(self):
        class Interrupting:
            """The pipe of answers, before which an interrupt comes once."""

            def __init__(self, pipe):
                self._pipe = pipe
                self._is_due = True

            def readline(self):
                if self._is_due:
                    self._is_due = False
                    raise KeyboardInterrupt
                return self._pipe.readline()

            def close(self):
                self._pipe.close()

        study = self.study(sampler=seeded(3))
        study.optimize(square, n_trials=5)
        engine = study.sampler._searches[study._record]._suggester._engine
        engine._process.stdout = Interrupting(engine._process.stdout)
        with self.assertRaises(KeyboardInterrupt):
            study.optimize(square, n_trials=5)
        trials = study.get_trials(states=[COMPLETE])
        study.optimize(square, n_trials=6)
        self.assertEqual([each.state for each in study.trials], [COMPLETE] * 5 + [FAIL]
                         + [COMPLETE] * 6)
        other = self.study(sampler=seeded(3))
        other.add_trials(trials)
        other.optimize(square, n_trials=6)
        self.assertEqual([each.params for each in study.trials if each.state == COMPLETE],
                         [each.params for each in other.trials])


class LearnedSpaceTest(unittest.TestCase):
    """The space that trials show."""

    def trial(self, state=COMPLETE, **params):
        kinds = {"kind": CategoricalDistribution(["a", "b", "c"]),
                 "sub": CategoricalDistribution(["x", "y"]), "count": IntDistribution(1, 5)}
        return optuna.trial.create_trial(
            value=1.0 if state == COMPLETE else None, params=params, state=state,
            distributions={name: kinds.get(name, FloatDistribution(0, 1)) for name in params})

    def condition(self, name, trials):
        space = LearnedSpace(trials)
        parameters = space.parameters()
        when = parameters[f"p{list(space.distributions).index(name)}"].when
        if when is None:
            return None
        (ours, values), = when.items()
        return list(space.distributions)[int(ours[1:])], values

    def test_what_all_trials_have_is_unconditional(self):
        self.assertIsNone(self.condition("x", [self.trial(kind="a", x=0.1),
                                               self.trial(kind="b", x=0.2)]))

    def test_what_one_choice_has_is_below_it(self):
        trials = [self.trial(kind="a", x=0.1), self.trial(kind="b"), self.trial(kind="c", x=0.3)]
        self.assertEqual(self.condition("x", trials), ("kind", ["0", "2"]))

    def test_the_nearer_of_two_parents_that_explain_as_much(self):
        trials = [self.trial(kind="a", sub="x", u=0.1), self.trial(kind="b", sub="y")]
        self.assertEqual(self.condition("u", trials), ("sub", ["0"]))

    def test_a_parent_may_have_a_parent(self):
        trials = [self.trial(kind="a", sub="x", u=0.1), self.trial(kind="a", sub="y"),
                  self.trial(kind="b", v=0.3)]
        self.assertEqual(self.condition("u", trials), ("sub", ["0"]))
        self.assertEqual(self.condition("sub", trials), ("kind", ["0"]))
        self.assertEqual(self.condition("v", trials), ("kind", ["1"]))

    def test_a_count_says_how_many_there_are_also_for_counts_not_seen(self):
        trials = [self.trial(count=1, w0=0.1), self.trial(count=4, w0=0.1, w1=0.2)]
        self.assertIsNone(self.condition("w0", trials))
        self.assertEqual(self.condition("w1", trials), ("count", [3, 4, 5]))

    def test_what_nothing_explains_counts_as_the_middle_where_it_is_lacking(self):
        trials = [self.trial(x=0.9, y=0.1), self.trial(x=0.2)]
        self.assertIsNone(self.condition("y", trials))
        self.assertEqual(LearnedSpace(trials).point_of({"x": 0.2}), {"p0": 0.2, "p1": 0.5})

    def test_trials_that_failed_lack_nothing(self):
        trials = [self.trial(kind="a", x=0.1), self.trial(state=FAIL, kind="b")]
        self.assertIsNone(self.condition("x", trials))
        trials.append(self.trial(state=PRUNED, kind="b"))
        self.assertEqual(self.condition("x", trials), ("kind", ["0"]))

    def test_a_range_that_stays_replaces_those_before(self):
        def ranged(high):
            return optuna.trial.create_trial(value=1.0, params={"x": 0.5},
                                             distributions={"x": FloatDistribution(0, high)})

        old = [ranged(100)] * 3
        self.assertEqual(LearnedSpace(old + [ranged(1)] * 9).distributions["x"].high, 100)
        space = LearnedSpace(old + [ranged(1)] * 10)
        self.assertEqual(space.distributions["x"].high, 1)
        self.assertIsNone(space.point_of({"x": 50}))

    def test_steps_that_differ_are_given_up(self):
        def stepped(low, step):
            return optuna.trial.create_trial(
                value=1.0, params={"x": low}, distributions={"x": IntDistribution(
                    low, low + 4 * step, step=step)})

        self.assertEqual(LearnedSpace([stepped(0, 2), stepped(4, 2)]).distributions["x"],
                         IntDistribution(0, 12, step=2))
        self.assertEqual(LearnedSpace([stepped(0, 2), stepped(3, 2)]).distributions["x"].step, 1)

    def test_no_trial_shows_nothing(self):
        self.assertEqual(len(LearnedSpace([])), 0)


class OptimizeTest(OptunaCase):
    def test_threads_share_a_study(self):
        study = self.study(sampler=seeded())
        seen, lock = set(), threading.Lock()

        def objective(trial):
            with lock:
                seen.add(threading.get_ident())
            return branched(trial)

        study.optimize(objective, n_trials=20, n_jobs=4)
        self.assertEqual(len(study.trials), 20)
        self.assertTrue(all(each.state == COMPLETE for each in study.trials))
        self.assertGreater(len(seen), 1)
        self.assertEqual(len({each.params["x"] for each in study.trials}), 20)

    def test_an_error_ends_the_call_and_fails_the_trial(self):
        def objective(trial):
            trial.suggest_float("x", 0, 1)
            raise KeyError("gone")

        for n_jobs in (1, 2):
            study = self.study()
            with self.assertRaises(KeyError):
                study.optimize(objective, n_trials=3, n_jobs=n_jobs)
            self.assertEqual(study.trials[0].state, FAIL)
        study = self.study()
        study.optimize(objective, n_trials=3, catch=(ValueError, KeyError))
        self.assertEqual([each.state for each in study.trials], [FAIL] * 3)
        with self.assertRaisesRegex(ValueError, "no trial is completed"):
            study.best_value

    def test_what_is_no_value_fails_with_a_warning(self):
        for value in (None, "text", math.nan, (1.0, 2.0), {1.0: "a"}, {1.0}, iter([1.0])):
            study = self.study()
            with self.assertLogs("vernier_hpo.optuna", "WARNING") as logged, \
                    warnings.catch_warnings():
                warnings.simplefilter("error")  # optimize says it once, in the log.
                study.optimize(lambda trial: value, n_trials=1)
            self.assertEqual(len(logged.output), 1)
            self.assertIn("Trial 0 failed: it", logged.output[0])
            self.assertEqual(study.trials[0].state, FAIL)
            with self.assertWarnsRegex(UserWarning, "Trial 1 failed: it") as warned:
                study.tell(study.ask(), value)
            self.assertEqual(warned.filename, __file__)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with self.assertRaises(UserWarning):
                    study.tell(study.ask(), value)
            self.assertEqual(study.trials[2].state, FAIL)

    def test_callbacks_and_stop(self):
        study = self.study()
        seen = []

        def callback(of, trial):
            seen.append(trial.number)
            if trial.number == 2:
                of.stop()

        study.optimize(square, n_trials=10, callbacks=[callback], gc_after_trial=True)
        self.assertEqual(seen, [0, 1, 2])
        study.optimize(square, callbacks=[optuna.study.MaxTrialsCallback(5)])
        self.assertEqual(len(study.trials), 5)
        with self.assertRaisesRegex(RuntimeError, "objective or a callback"):
            study.stop()

    def test_a_timeout_begins_no_further_trial(self):
        study = self.study()
        study.optimize(square, timeout=0.0)
        self.assertEqual(study.trials, [])

    def test_optimize_inside_of_an_objective_is_refused(self):
        study = self.study()
        for n_jobs in (1, 2):
            with self.assertRaisesRegex(RuntimeError, "inside of an objective of the same"):
                study.optimize(lambda trial: study.optimize(square, n_trials=1), n_trials=1,
                               n_jobs=n_jobs)

    def test_another_study_is_searched_inside_of_an_objective(self):
        study = self.study()

        def objective(trial):
            inner = self.study()
            inner.optimize(square, n_trials=2)
            with self.assertRaisesRegex(RuntimeError, "inside of an objective"):
                study.optimize(square, n_trials=1)
            if trial.number == 3:
                study.stop()
            return trial.suggest_float("x", 0, 1) + inner.best_value

        study.optimize(objective, n_trials=2)
        study.optimize(objective, n_trials=9)
        self.assertEqual([each.state for each in study.trials], [COMPLETE] * 4)

    def test_threads_that_call_optimize_at_once_are_all_stopped(self):
        study, errors = self.study(), []
        first_is_done = threading.Event()
        all_run = threading.Barrier(3)

        def callback(of, trial):
            if trial.number >= 3:
                of.stop()

        def run(call):
            def objective(trial):
                if trial.number < 3:
                    all_run.wait(30)
                    if call > 0:
                        first_is_done.wait(30)
                return square(trial)

            try:
                # The first call ends before the others do.
                study.optimize(objective, n_trials=1 if call == 0 else 40,
                               callbacks=[callback, optuna.study.MaxTrialsCallback(4)])
            except BaseException as error:
                errors.append(error)
            if call == 0:
                first_is_done.set()

        threads = [threading.Thread(target=run, args=(call,)) for call in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(errors, [])
        self.assertLess(len(study.trials), 8)
        with self.assertRaisesRegex(RuntimeError, "objective or a callback"):
            study.stop()

    def test_numbers_of_trials_are_taken_as_they_are_meant(self):
        for n_trials, count in ((3.0, 3), (2.5, 3), (-1, 0), (0, 0), (Scalar(2), 2)):
            study = self.study()
            study.optimize(square, n_trials=n_trials)
            self.assertEqual(len(study.trials), count)

    def test_arguments_that_make_no_sense(self):
        study = self.study()
        with self.assertRaises(ValueError):
            study.optimize(square, n_jobs=0)
        for arguments in ({"n_trials": "3"}, {"n_trials": 1, "catch": "ValueError"}):
            with self.assertRaises(TypeError):
                study.optimize(square, **arguments)

    def test_an_error_that_is_not_caught_is_logged_too(self):
        def objective(trial):
            trial.suggest_float("x", 4, 4)
            raise KeyError("gone")

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        for catch in ((), KeyError):
            with self.assertLogs("vernier_hpo.optuna", "WARNING") as logs:
                try:
                    self.study().optimize(objective, n_trials=1, catch=catch)
                except KeyError:
                    self.assertEqual(catch, ())
            self.assertIn("Trial 0 failed with parameters: {'x': 4.0} because of the following "
                          "error: KeyError('gone').", logs.output[0])
            self.assertIn("Traceback", logs.output[0])

    def test_what_is_not_logged_is_not_looked_for(self):
        study, looked = self.study(), []

        class Watched(type(study)):
            @property
            def best_trial(self):
                looked.append(self)
                return super().best_trial

        study.__class__ = Watched
        study.optimize(square, n_trials=2)
        self.assertEqual(looked, [])

    def test_the_best_trial_is_known_without_a_look_at_all(self):
        study = self.study(direction="maximize")
        for value in (1.0, 3.0, 3.0, 2.0):
            study.tell(study.ask(), value)
        self.assertEqual(study._record.best_now().number, 1)
        infeasible = study.ask()
        infeasible.set_constraint("c", 1)
        study.tell(infeasible, 9.0)
        study.add_trial(optuna.create_trial(value=4.0))
        self.assertEqual(study._record.best_now().number, 5)
        self.assertEqual(study.best_trial, study.trials[5])
        self.assertEqual(pickle.loads(pickle.dumps(study)).best_trial, study.trials[5])
        several = self.study(directions=["minimize", "maximize"])
        several.tell(several.ask(), [1, 2])
        self.assertIsNone(several._record.best_now())

    def test_a_line_per_trial_and_progress(self):
        optuna.logging.set_verbosity(optuna.logging.INFO)
        error, sys.stderr = sys.stderr, io.StringIO()
        try:
            self.study(study_name="shown").optimize(square, n_trials=2, show_progress_bar=True)
            shown = sys.stderr.getvalue()
        finally:
            sys.stderr = error
        self.assertRegex(shown, r"\[I .*\] Trial 1 finished with value: .* and parameters: ")
        self.assertRegex(shown, r"Best is trial \d with value")
        self.assertIn("shown: 2/2 trials, best", shown)

    def test_the_log_has_its_settings(self):
        log = optuna.logging
        self.assertEqual(log.get_verbosity(), log.ERROR)
        log.disable_default_handler()
        log.enable_default_handler()
        log.enable_propagation()
        with self.assertLogs("vernier_hpo", "ERROR"):
            log.get_logger("mine").error("a word")
        log.disable_propagation()


class AskTellTest(OptunaCase):
    def test_ask_and_tell(self):
        study = self.study()
        trial = study.ask({"x": FloatDistribution(0, 1), "k": IntDistribution(1, 3)})
        self.assertEqual(set(trial.params), {"x", "k"})
        ended = study.tell(trial, 2.5)
        self.assertEqual((ended.value, ended.state, ended.number), (2.5, COMPLETE, 0))
        self.assertGreaterEqual(ended.duration, datetime.timedelta(0))
        with self.assertRaisesRegex(ValueError, "ended already"):
            study.tell(0, 1.0)
        self.assertEqual(study.tell(0, 1.0, skip_if_finished=True).value, 2.5)
        with self.assertRaisesRegex(ValueError, "no trial 7"):
            study.tell(7, 1.0)
        with self.assertRaises(optuna.exceptions.UpdateFinishedTrialError):
            trial.set_user_attr("late", 1)

    def test_states_of_an_end(self):
        study = self.study()
        trial = study.ask()
        trial.report(0.5, 3)
        pruned = study.tell(trial, state=PRUNED)
        self.assertEqual((pruned.value, pruned.last_step), (0.5, 3))
        self.assertIsNone(study.tell(study.ask(), state=FAIL).value)
        with self.assertRaisesRegex(ValueError, "leave values out"):
            study.tell(study.ask(), 1.0, state=PRUNED)
        with self.assertRaisesRegex(ValueError, "no number"):
            study.tell(study.ask(), state=COMPLETE)
        for state in (TrialState.RUNNING, 1, "COMPLETE"):
            with self.assertRaisesRegex(ValueError, "ends as COMPLETE"):
                study.tell(study.ask(), 1.0, state=state)
        for trial in ("0", None, True, study.trials[0]):
            with self.assertRaisesRegex(TypeError, "a trial of ask"):
                study.tell(trial, 1.0)

    def test_a_value_that_no_float_holds_and_a_last_report_of_nan_are_none(self):
        study = self.study()
        with self.assertWarnsRegex(UserWarning, "no float can hold"):
            self.assertEqual(study.tell(study.ask(), 10 ** 5000).state, FAIL)
        trial = study.ask()
        trial.report(math.nan, 0)
        self.assertIsNone(study.tell(trial, state=PRUNED).value)

    def test_queued_trials_come_first_and_may_be_partial(self):
        study = self.study(sampler=seeded())
        study.enqueue_trial({"x": 0.25, "kind": "adam"}, user_attrs={"by": "hand"})
        study.enqueue_trial({"x": 0.25, "kind": "adam"}, skip_if_exists=True)
        self.assertEqual([each.state for each in study.trials], [TrialState.WAITING])
        study.optimize(branched, n_trials=2)
        first = study.trials[0]
        self.assertEqual((first.params["x"], first.params["kind"]), (0.25, "adam"))
        self.assertIn("beta", first.params)
        self.assertEqual(first.user_attrs, {"by": "hand"})
        study.enqueue_trial({"x": 99})
        with self.assertWarnsRegex(UserWarning, "out of its range"):
            study.optimize(square, n_trials=1)
        self.assertEqual(study.trials[-1].params["x"], 99)
        study.optimize(square, n_trials=2)
        for name, value in (("x", "text"), ("kind", "rms")):
            study = self.study(sampler=seeded())
            study.enqueue_trial({name: value})
            with self.assertRaisesRegex(ValueError, f"{name} was fixed at '{value}', which is no"):
                study.optimize(branched, n_trials=1)

    def test_trials_from_elsewhere(self):
        study = self.study(sampler=seeded())
        made = optuna.create_trial(params={"x": 1.0}, value=0.0,
                                   distributions={"x": FloatDistribution(-5, 5)})
        study.add_trials([made, made])
        self.assertEqual([each.number for each in study.trials], [0, 1])
        study.optimize(square, n_trials=3)
        self.assertEqual(study.best_value, 0.0)
        for trouble, settings in (
                ("same names", {"params": {"x": 1}, "value": 1}),
                ("has a value", {}), ("no NaN", {"value": math.nan}),
                ("cannot be 7", {"params": {"x": 7}, "value": 1,
                                 "distributions": {"x": FloatDistribution(0, 1)}}),
                ("has no value", {"state": FAIL, "value": 1.0})):
            with self.assertRaisesRegex(ValueError, trouble):
                optuna.create_trial(**settings)
        with self.assertRaisesRegex(ValueError, "2 values"):
            study.add_trial(optuna.create_trial(values=[1, 2]))
        with self.assertRaisesRegex(ValueError, "x: a parameter keeps its kind"):
            study.add_trial(optuna.create_trial(
                params={"x": 1}, value=0.0, distributions={"x": IntDistribution(0, 5)}))

    def test_a_fixed_trial_calls_an_objective_by_hand(self):
        trial = optuna.trial.FixedTrial({"x": 3, "unused": 1})
        self.assertEqual(square(trial), 4)
        self.assertEqual(trial.params, {"x": 3})
        trial.report(1.0, 1)
        trial.set_user_attr("a", 1)
        self.assertFalse(trial.should_prune())
        with self.assertRaisesRegex(ValueError, "no 'y'"):
            trial.suggest_float("y", 0, 1)
        frozen = optuna.create_trial(value=1.0, params={"x": 3.0},
                                     distributions={"x": FloatDistribution(-5, 5)})
        self.assertEqual(square(frozen), 4)
        with self.assertRaisesRegex(ValueError, "keeps its kind"):
            frozen.suggest_int("x", 0, 5)

    def test_a_fixed_value_out_of_its_range_is_taken_with_a_warning(self):
        given = {"x": 50, "k": 12, "c": "b"}
        frozen = optuna.create_trial(value=1.0, params=given, distributions={
            "x": FloatDistribution(0, 99), "k": IntDistribution(0, 99),
            "c": CategoricalDistribution(["a", "b"])})
        queued = self.study()
        queued.enqueue_trial(given)
        for trial in (optuna.trial.FixedTrial(given), frozen, queued.ask()):
            with self.assertWarnsRegex(UserWarning, "x was fixed at 50, which is out") as warned:
                value = trial.suggest_float("x", 0, 1)
            self.assertEqual((value, type(value), warned.filename), (50.0, float, __file__))
            with self.assertWarnsRegex(UserWarning, "k was fixed at 12"):
                self.assertEqual(trial.suggest_int("k", 1, 10), 12)
            with self.assertRaisesRegex(ValueError, "c was fixed at 'b', which is no value"):
                trial.suggest_categorical("c", ["a", "d"])
        # What is queued as a whole number is a fraction, once it is one of a float.
        self.assertIs(type(queued.trials[0].params["x"]), float)

    def test_a_trial_that_is_printed_has_all_that_it_has(self):
        trial = optuna.create_trial(
            value=2.0, params={"x": 1}, user_attrs={"by": "hand"}, system_attrs={"of": "us"},
            distributions={"x": IntDistribution(0, 9)}, intermediate_values={3: 4.0})
        self.assertRegex(
            repr(trial),
            r"^FrozenTrial\(number=-1, state=TrialState.COMPLETE, values=\[2.0\], "
            r"datetime_start=datetime.*, datetime_complete=datetime.*, params={'x': 1}, "
            r"user_attrs={'by': 'hand'}, system_attrs={'of': 'us'}, "
            r"intermediate_values={3: 4.0}, distributions={'x': IntDistribution\(.*\)}, "
            r"trial_id=-1, value=None\)$")

    def test_attributes(self):
        study = self.study()
        study.set_user_attr("who", ["me"])
        study.set_system_attr("note", 1)
        trial = study.ask()
        trial.set_user_attr("epochs", 3)
        trial.set_system_attr("s", 1)
        self.assertEqual((trial.user_attrs, trial.system_attrs), ({"epochs": 3}, {"s": 1}))
        self.assertEqual((study.user_attrs, study.system_attrs), ({"who": ["me"]}, {"note": 1}))
        self.assertIsNotNone(trial.datetime_start)
        study.trials[0].user_attrs["epochs"] = 4
        self.assertEqual(study.trials[0].user_attrs, {"epochs": 3})

    def test_an_attribute_that_cannot_be_copied_is_shared(self):
        lock = threading.Lock()

        def objective(trial):
            trial.set_user_attr("lock", lock)
            trial.set_user_attr("list", [1])
            return square(trial)

        study = self.study(sampler=seeded())
        study.set_user_attr("lock", lock)
        study.optimize(objective, n_trials=2, callbacks=[lambda study, trial: None])
        self.assertEqual([each.state for each in study.trials], [COMPLETE] * 2)
        self.assertIs(study.best_trial.user_attrs["lock"], lock)
        self.assertIs(study.user_attrs["lock"], lock)
        study.trials[0].user_attrs["list"].append(2)
        self.assertEqual(study.trials[0].user_attrs["list"], [1])

    def test_a_study_can_be_copied_and_pickled(self):
        study = self.study(sampler=seeded())
        study.optimize(square, n_trials=3)
        again = pickle.loads(pickle.dumps(study))
        again.optimize(square, n_trials=2)
        self.assertEqual((len(study.trials), len(again.trials)), (3, 5))
        grid = self.study(sampler=optuna.samplers.GridSampler({"x": [1, 2]}))
        pickle.loads(pickle.dumps(copy.deepcopy(grid))).optimize(square)
        self.assertEqual(copy.deepcopy(study.best_trial), study.best_trial)

    def test_a_table_of_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "pip install pandas"):
                self.study().trials_dataframe()
            return
        study = self.study()
        study.optimize(branched, n_trials=3)
        table = study.trials_dataframe()
        self.assertEqual(list(table["number"]), [0, 1, 2])
        self.assertIn("params_x", table.columns)
        self.assertEqual(list(table["state"]), ["COMPLETE"] * 3)
        short = study.trials_dataframe(attrs=("number", "params"), multi_index=True)
        self.assertIn(("params", "x"), list(short.columns))
        self.assertEqual(list(study.trials_dataframe(attrs=("values",)).columns), ["values_0"])
        study.set_metric_names(["rmse"])
        self.assertEqual(list(study.trials_dataframe(attrs=("value",)).columns), ["value_rmse"])
        several = self.study(directions=["minimize", "maximize"])
        several.set_metric_names(["loss", "acc"])
        several.optimize(lambda trial: (square(trial), 1.0), n_trials=1)
        self.assertEqual(list(several.trials_dataframe(attrs=("number", "values")).columns),
                         ["number", "values_loss", "values_acc"])


class SeveralMetricsTest(OptunaCase):
    def test_several_directions_have_a_front(self):
        study = self.study(sampler=seeded(), directions=["minimize", "maximize"])
        study.set_metric_names(["loss", "speed"])

        def objective(trial):
            x = trial.suggest_float("x", 0, 2)
            return x, 1 - (x - 1) ** 2

        study.optimize(objective, n_trials=12)
        front = study.best_trials
        self.assertGreater(len(front), 2)
        self.assertTrue(all(each.params["x"] <= 1 for each in front))
        self.assertEqual([each.name for each in study.directions], ["MINIMIZE", "MAXIMIZE"])
        self.assertEqual(study.metric_names, ["loss", "speed"])
        for read in (lambda: study.best_trial, lambda: study.best_value, lambda: study.direction,
                     lambda: study.trials[0].value):
            with self.assertRaises(RuntimeError):
                read()
        for call in (lambda t: t.report(1.0, 1), lambda t: t.should_prune()):
            with self.assertRaisesRegex(NotImplementedError, "several objectives"):
                call(study.ask())

    def test_constraints_of_a_sampler(self):
        study = self.study(sampler=seeded(
            constraints_func=lambda trial: (0.5 - trial.params["x"],)))
        study.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=12)
        self.assertTrue(0.5 <= study.best_params["x"] < 0.6)
        self.assertEqual(len(study.trials[0].system_attrs["constraints"]), 1)

    def test_constraints_of_a_trial(self):
        def objective(trial):
            x = trial.suggest_float("x", 0, 1)
            trial.set_constraint("enough", 0.5 - x)
            return x

        study = self.study(sampler=seeded())
        study.optimize(objective, n_trials=12)
        self.assertTrue(0.5 <= study.best_params["x"] < 0.6)
        self.assertEqual(set(study.best_trial.constraints), {"enough"})
        trial = study.ask()
        trial.set_constraint("enough", 1)
        with self.assertWarnsRegex(UserWarning, "first value stays"):
            trial.set_constraint("enough", 2)
        with self.assertRaisesRegex(ValueError, "NaN"):
            trial.set_constraint("other", math.nan)
        with self.assertRaises(TypeError):
            trial.set_constraint("other", "much")

    def test_constraints_of_every_kind_of_trial(self):
        made = optuna.create_trial(value=1.0, constraints={"c": 2})
        made.set_constraint("d", -1)
        with self.assertWarnsRegex(UserWarning, "was set before") as warned:
            made.set_constraint("d", 3)
        self.assertEqual(warned.filename, __file__)
        self.assertEqual((made.constraints, made.is_feasible()), ({"c": 2.0, "d": -1.0}, False))
        for trial in (optuna.trial.FixedTrial({}), self.study().ask()):
            trial.set_constraint("c", 0.5)
            self.assertEqual(trial.constraints, {"c": 0.5})
            with self.assertRaisesRegex(ValueError, "is NaN"):
                trial.set_constraint("e", math.nan)

    def test_nothing_feasible_has_no_best(self):
        study = self.study(sampler=seeded(constraints_func=lambda trial: (1.0,)))
        study.optimize(square, n_trials=2)
        with self.assertRaisesRegex(ValueError, "meets the constraints"):
            study.best_trial


class PrunerTest(OptunaCase):
    def with_curves(self, pruner, curves, direction="minimize"):
        """A study of completed trials that have reported these values at steps 0, 1, ..."""
        study = self.study(pruner=pruner, direction=direction)
        for values in curves:
            trial = study.ask()
            for step, value in enumerate(values):
                trial.report(value, step)
            study.tell(trial, values[-1])
        return study

    def verdicts(self, study, values):
        trial, found = study.ask(), []
        for step, value in enumerate(values):
            trial.report(value, step)
            found.append(trial.should_prune())
        study.tell(trial, state=PRUNED)
        return found

    def test_median(self):
        pruner = optuna.pruners.MedianPruner(n_startup_trials=3)
        study = self.with_curves(pruner, [[1, 1], [2, 2], [3, 3]])
        self.assertEqual(self.verdicts(study, [1.5, 1.5]), [False, False])
        self.assertEqual(self.verdicts(study, [2.5, 2.5]), [True, True])
        self.assertEqual(self.verdicts(study, [math.nan]), [True])
        larger = self.with_curves(optuna.pruners.MedianPruner(3), [[1], [2], [3]], "maximize")
        self.assertEqual(self.verdicts(larger, [2.5]), [False])
        self.assertEqual(self.verdicts(larger, [1.5]), [True])

    def test_the_default_waits_for_five_trials(self):
        study = self.with_curves(None, [[1.0]] * 4)
        self.assertEqual(self.verdicts(study, [9.0]), [False])
        self.assertEqual(self.verdicts(self.with_curves(None, [[1.0]] * 5), [9.0]), [True])

    def test_percentile_warmup_interval_and_number_of_trials(self):
        def judged(curves=4, **settings):
            pruner = optuna.pruners.PercentilePruner(25, 1, **settings)
            study = self.with_curves(pruner, [[float(i)] * 6 for i in range(curves)])
            return self.verdicts(study, [2.5] * 6)

        self.assertEqual(judged(), [True] * 6)
        self.assertEqual(judged(n_warmup_steps=2), [False] * 2 + [True] * 4)
        self.assertEqual(judged(interval_steps=3), [True, False, False] * 2)
        self.assertEqual(judged(n_min_trials=5), [False] * 6)

    def test_threshold(self):
        pruner = optuna.pruners.ThresholdPruner(lower=0, upper=1)
        self.assertEqual(self.verdicts(self.with_curves(pruner, []), [0.5, 2, -1, math.nan]),
                         [False, True, True, True])
        with self.assertRaises(TypeError):
            optuna.pruners.ThresholdPruner()

    def test_patience(self):
        pruner = optuna.pruners.PatientPruner(None, patience=1)
        self.assertEqual(self.verdicts(self.with_curves(pruner, []), [3, 2, 2, 2, 3, 3, 1]),
                         [False] * 5 + [True, False])
        # As Optuna 4.5 judges them: its own verdicts after the last report.
        nan = math.nan
        for patience, delta, values, verdict in (
                (0, 0, [1, 1], False), (0, 0, [1, 2], True), (0, 0, [2, 1], False),
                (1, 0, [1, 1, 1], False), (1, 0, [1, 2, 2], True), (1, 0, [1, 2, 1], False),
                (1, 0, [1, 2], False), (2, 0, [3, 1, 2, 2, 2], True),
                (1, 0.5, [1, 1.25, 1.25], False), (1, 0.5, [1, 1.5, 1.5], False),
                (1, 0.5, [1, 1.75, 1.75], True), (1, 0.5, [1, 0.75, 0.75], False),
                (0, 0, [nan, 1], False), (0, 0, [1, nan], False), (1, 0, [1, nan, 2], True),
                (0, 0, [nan, 1, 2], True)):
            for direction, sign in (("minimize", 1), ("maximize", -1)):
                waits = optuna.pruners.PatientPruner(None, patience, delta)
                found = self.verdicts(self.with_curves(waits, [], direction),
                                      [sign * each for each in values])
                self.assertIs(found[-1], verdict, (patience, delta, values, direction))
        never = optuna.pruners.PatientPruner(optuna.pruners.NopPruner(), patience=0)
        self.assertEqual(self.verdicts(self.with_curves(never, []), [1, 2, 3]), [False] * 3)

    def test_successive_halving(self):
        pruner = optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=2)
        study = self.with_curves(pruner, [])
        self.assertEqual(self.verdicts(study, [1] * 5), [False] * 5)
        self.assertEqual(self.verdicts(study, [2, 2]), [False, True])
        self.assertEqual(self.verdicts(study, [0] * 5), [False] * 5)
        waiting = optuna.pruners.SuccessiveHalvingPruner()
        self.assertEqual(self.verdicts(self.with_curves(waiting, []), [1, 2]), [False] * 2)

    def test_hyperband_ends_bad_trials_and_not_the_best(self):
        pruner = optuna.pruners.HyperbandPruner(min_resource=1, max_resource=9)
        study = self.study(pruner=pruner, study_name="bands")
        found = [any(self.verdicts(study, [float(i)] * 10)) for i in range(30)]
        self.assertFalse(found[0])
        self.assertGreater(sum(found), 10)

    def test_wilcoxon(self):
        study = self.with_curves(optuna.pruners.WilcoxonPruner(p_threshold=0.1),
                                 [[1, 2, 3, 4, 5, 6]])
        worse = self.verdicts(study, [1.1, 2.2, 3.3, 4.4, 5.5, 6.6])
        self.assertEqual(worse[:2], [False, False])
        self.assertTrue(worse[-1])
        self.assertFalse(any(self.verdicts(study, [1.1, 1.9, 3.3, 3.6, 5.4, 5.5])))

    def test_wilcoxon_prunes_nothing_by_values_that_are_not_finite(self):
        pruner = optuna.pruners.WilcoxonPruner()
        study = self.with_curves(pruner, [[0.0] * 8])
        self.assertTrue(self.verdicts(study, [1.0] * 8)[-1])
        self.assertEqual(self.verdicts(study, [1.0] * 4 + [math.nan] + [1.0] * 3)[4:], [False] * 4)
        self.assertFalse(self.verdicts(study, [1.0] * 8 + [math.nan])[-1])
        broken = self.with_curves(pruner, [[0.0, math.inf, *[0.0] * 6]])
        self.assertEqual(self.verdicts(broken, [1.0] * 8), [False] * 8)

    def test_nan_counts_among_the_reports_that_a_percentile_needs(self):
        pruner = optuna.pruners.MedianPruner(1, n_min_trials=2)
        study = self.with_curves(pruner, [[1.0, 1.0], [math.nan, 1.0]])
        self.assertEqual(self.verdicts(study, [2.0]), [True])

    def test_the_signed_rank_test_by_hand(self):
        # Of the 8 subsets of {1, 2, 3} one has the sum 6.
        self.assertAlmostEqual(_signed_rank.p_value_of_worse([1, 2, 3]), 1 / 8)
        self.assertAlmostEqual(_signed_rank.p_value_of_worse([-1, 2, 3]), 2 / 8)
        self.assertAlmostEqual(_signed_rank.p_value_of_worse([-1, -2, -3]), 1)
        self.assertEqual(_signed_rank.p_value_of_worse([0, 0]), 1.0)
        # Ties and zeros, by counting, too: of the 4 signs of two equal ones one is
        # so large, and zeros have no sign.
        self.assertAlmostEqual(_signed_rank.p_value_of_worse([3, 3]), 1 / 4)
        self.assertAlmostEqual(_signed_rank.p_value_of_worse([0, 2, 2, -1]), 2 / 8)
        self.assertAlmostEqual(_signed_rank.p_value_of_worse([0, -2]), 1)
        # The normal law for many: half of a symmetric sample.
        even = [each for i in range(1, 41) for each in (i, -i)]
        self.assertAlmostEqual(_signed_rank.p_value_of_worse(even), 0.5)

    def test_a_pruner_of_ones_own(self):
        class Third(optuna.pruners.BasePruner):
            def prune(self, study, trial):
                return trial.last_step == 2

        study = self.with_curves(Third(), [])
        self.assertEqual(self.verdicts(study, [1, 1, 1, 1]), [False, False, True, False])

    def test_an_objective_is_pruned(self):
        def objective(trial):
            x = trial.suggest_float("x", 0, 1)
            for step in range(5):
                trial.report(x, step)
                if trial.should_prune():
                    raise optuna.TrialPruned()
            return x

        study = self.study(pruner=optuna.pruners.MedianPruner(n_startup_trials=2))
        study.optimize(objective, n_trials=12)
        self.assertIn(PRUNED, {each.state for each in study.trials})
        pruned = study.get_trials(states=[PRUNED])[0]
        self.assertEqual(pruned.value, pruned.intermediate_values[pruned.last_step])
        # The package's callbacks raise its own exception.
        def stopped(trial):
            raise vn.TrialStopped()

        study.optimize(stopped, n_trials=1)
        self.assertEqual(study.trials[-1].state, PRUNED)

    def test_reports_have_numbers_and_steps(self):
        trial = self.study().ask()
        trial.report("0.5", 1)
        with self.assertWarnsRegex(UserWarning, "first value stays"):
            trial.report(0.7, 1)
        self.assertEqual(trial.study.trials[0].intermediate_values, {1: 0.5})
        for step in (2.0, 3.7, "4", Scalar(5)):
            trial.report(1.0, step)
        self.assertEqual(list(trial.study.trials[0].intermediate_values), [1, 2, 3, 4, 5])
        for value, step in (("much", 2), (None, 2), (1.0, "x"), (1.0, None), (1.0, math.inf)):
            with self.assertRaises(TypeError):
                trial.report(value, step)
        with self.assertRaises(ValueError):
            trial.report(1.0, -1)

    def test_the_callbacks_names_make_ours(self):
        class Info:
            iteration = 1
            metrics = {"validation": {"Accuracy": [0.5]}}

        study = self.study(pruner=optuna.pruners.ThresholdPruner(lower=0.6))
        callback = optuna.integration.CatBoostPruningCallback(study.ask(), "Accuracy")
        self.assertFalse(callback.after_iteration(Info()))
        with self.assertRaises(optuna.TrialPruned):
            callback.check_pruned()

    def test_the_callback_of_lightgbm_counts_from_zero_and_knows_cross_validation(self):
        class Env:
            def __init__(self, iteration, *results):
                self.iteration, self.evaluation_result_list = iteration, list(results)

        made = optuna.integration.LightGBMPruningCallback
        study = self.study(pruner=optuna.pruners.ThresholdPruner(upper=5))
        trial = study.ask()
        callback = made(trial, "l2")
        callback(Env(0, ("train", "l2", 9, False), ("valid_0", "l2", 2.5, False)))
        for name in (("cv_agg", "valid l2"), ("valid", "l2")):
            callback(Env(trial._record.last_step + 1, ("cv_agg", "train l2", 9, False, 0.1),
                         (*name, 3.0, False, 0.1)))
        self.assertEqual(study.trials[0].intermediate_values, {0: 2.5, 1: 3.0, 2: 3.0})
        with self.assertRaisesRegex(optuna.TrialPruned, "at iteration 3"):
            callback(Env(3, ("valid_0", "l2", 7.0, False)))
        with self.assertRaisesRegex(ValueError, "wants to minimize, and larger .* 'auc' are bet"):
            made(trial, "auc")(Env(4, ("valid_0", "auc", 0.5, True)))
        with self.assertRaisesRegex(ValueError, "no 'rmse' of 'valid_0', but"):
            made(trial, "rmse")(Env(4, ("valid_0", "l2", 0.5, False)))
        made(trial, "l2", report_interval=10)(Env(4))

    def test_callbacks_of_libraries_count_from_zero(self):
        study = self.study(pruner=optuna.pruners.ThresholdPruner(upper=5))
        trial = study.ask()
        watch = Watch(optuna.integration._FromZero(trial), every=2)
        self.assertEqual([watch.report(step, step) for step in (1, 2, 3, 6)],
                         [False, False, False, True])
        self.assertEqual(study.trials[0].intermediate_values, {1: 2.0, 5: 6.0})
        with self.assertRaises(optuna.TrialPruned):
            watch.raise_if_stopped()


class SamplerTest(OptunaCase):
    def test_optunas_samplers_say_once_that_the_engine_is_used(self):
        samplers = importlib.import_module("vernier_hpo.optuna.samplers")
        samplers._said.clear()
        for name in ("TPESampler", "GPSampler", "CmaEsSampler", "NSGAIISampler",
                     "NSGAIIISampler", "BoTorchSampler", "PyCmaSampler"):
            kind = getattr(optuna.samplers if name in optuna.samplers.__all__
                           else optuna.integration, name)
            with self.assertWarnsRegex(vn.IgnoredArgumentWarning, f"{name}: Vernier's engine"):
                kind(seed=3)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                sampler = kind(seed=3)
            study = self.study(sampler=sampler)
            study.optimize(square, n_trials=4)
        with self.assertWarnsRegex(vn.IgnoredArgumentWarning, "n_startup_trials mean nothing"):
            optuna.samplers.TPESampler(n_startup_trials=5)
        for kind, settings in (("BoTorchSampler", {"n_startup_trials": 4}),
                               ("SkoptSampler", {"skopt_kwargs": {"acq_func": "EI"}}),
                               ("PyCmaSampler", {"sigma0": 0.1})):
            with self.assertWarnsRegex(vn.IgnoredArgumentWarning, f"{kind}: Vernier's engine"):
                getattr(optuna.integration, kind)(seed=3, **settings)
        with self.assertRaisesRegex(TypeError, "no speed"):
            optuna.samplers.TPESampler(speed=5)

    def test_a_grid_ends_the_study_after_each_combination(self):
        grid = {"k": [1, 2], "c": ["a", "b", None]}
        study = self.study(sampler=optuna.samplers.GridSampler(grid, seed=1))

        def objective(trial):
            return (trial.suggest_int("k", 1, 5)
                    + (trial.suggest_categorical("c", ["a", "b", None]) is None))

        study.optimize(objective, n_trials=50)
        self.assertEqual(len({tuple(each.params.values()) for each in study.trials}), 6)
        self.assertEqual(len(study.trials), 6)
        self.assertTrue(study.sampler.is_exhausted(study))
        with self.assertRaisesRegex(ValueError, "no parameter 'x'"):
            self.study(sampler=optuna.samplers.GridSampler(grid)).optimize(square, n_trials=1)

    def test_a_grid_has_values_between_steps_and_out_of_the_range(self):
        study = self.study(sampler=optuna.samplers.GridSampler({"x": [0.15, 0.25, 2]}))
        with self.assertWarnsRegex(UserWarning, "x was fixed at .* out of its range") as warned:
            study.optimize(lambda trial: trial.suggest_float("x", 0, 1, step=0.1))
        self.assertEqual(sorted(each.params["x"] for each in study.trials), [0.15, 0.25, 2.0])
        self.assertEqual(warned.filename, __file__)

    def test_a_larger_grid_begins_anew_on_a_stored_study(self):
        study = self.study(sampler=optuna.samplers.GridSampler({"x": [1, 2]}))
        study.optimize(square)
        study.sampler = optuna.samplers.GridSampler({"x": [1, 2, 3, 4]}, seed=5)
        self.assertFalse(study.sampler.is_exhausted(study))
        study.optimize(square)
        self.assertEqual(sorted(each.params["x"] for each in study.trials[2:]), [1, 2, 3, 4])
        with self.assertLogs("vernier_hpo.optuna", "WARNING"):
            study.optimize(square, n_trials=9)
        self.assertEqual(len(study.trials), 7)

    def test_a_combination_of_a_killed_trial_is_tried_again(self):
        study = self.study(sampler=optuna.samplers.GridSampler({"x": [1, 2, 3]}))
        killed = study.ask()
        killed.suggest_float("x", 0, 9)
        study.optimize(square)
        self.assertEqual(sorted(each.params["x"] for each in study.trials[1:]), [1, 2, 3])
        self.assertEqual(study.trials[-1].params, killed.params)

    def test_a_queued_trial_takes_no_combination(self):
        study = self.study(sampler=optuna.samplers.GridSampler({"x": [1, 2]}))
        study.enqueue_trial({"x": 7})
        study.enqueue_trial({"x": 2})
        study.optimize(lambda trial: trial.suggest_float("x", 0, 9))
        self.assertEqual(sorted(each.params["x"] for each in study.trials), [1, 2, 2, 7])
        study = self.study(sampler=optuna.samplers.GridSampler({"x": [1], "k": [1]}))
        study.enqueue_trial({"k": 3})
        with self.assertRaisesRegex(ValueError, "All parameters must be specified"):
            study.optimize(square)
        self.assertEqual(study.trials[0].state, FAIL)

    def test_threads_share_a_grid(self):
        study = self.study(sampler=optuna.samplers.GridSampler({"x": list(range(9))}))
        study.optimize(square, n_jobs=3)
        self.assertEqual({each.params["x"] for each in study.trials}, set(range(9)))

    def test_values_have_the_type_of_their_distribution(self):
        class Raw(optuna.samplers.BaseSampler):
            def sample_independent(self, study, trial, name, distribution):
                return Raw.values[name]

        Raw.values = {"x": 1, "k": 2.0, "c": Scalar(3)}
        for sampler in (Raw(), optuna.samplers.PartialFixedSampler(Raw.values, at_random()),
                        optuna.samplers.GridSampler({k: [v] for k, v in Raw.values.items()})):
            study = self.study(sampler=sampler)
            study.optimize(lambda trial: trial.suggest_float("x", 0, 5) + trial.suggest_int(
                "k", 0, 5) + trial.suggest_categorical("c", [2, 3]), n_trials=1)
            self.assertEqual({k: (v, type(v)) for k, v in study.best_params.items()},
                             {"x": (1.0, float), "k": (2, int), "c": (3, int)})

    def test_seeds_of_numpy(self):
        points = []
        for seed in (3, Scalar(3)):
            study = self.study(sampler=at_random(seed))
            study.optimize(square, n_trials=3)
            grid = optuna.samplers.GridSampler({"x": list(range(9))}, seed=seed)
            points.append(([each.params for each in study.trials], grid._order))
        self.assertEqual(*points)

    def test_some_parameters_fixed(self):
        study = self.study(sampler=optuna.samplers.PartialFixedSampler(
            {"kind": "adam"}, seeded()))
        study.optimize(branched, n_trials=5)
        self.assertEqual({each.params["kind"] for each in study.trials}, {"adam"})
        study = self.study(sampler=optuna.samplers.PartialFixedSampler({"x": 9}, at_random()))
        with self.assertWarnsRegex(UserWarning, "x was fixed at 9, which is out") as warned:
            study.optimize(square, n_trials=1)
        self.assertEqual((study.best_params, warned.filename), ({"x": 9.0}, __file__))
        with self.assertRaisesRegex(ValueError, "kind was fixed at 'rms', which is no value"):
            self.study(sampler=optuna.samplers.PartialFixedSampler(
                {"kind": "rms"}, at_random())).optimize(branched, n_trials=1)

    def test_a_sampler_of_ones_own(self):
        class Mine(optuna.samplers.BaseSampler):
            ended = 0

            def infer_relative_search_space(self, study, trial):
                return optuna.search_space.intersection_search_space(study.trials)

            def sample_relative(self, study, trial, search_space):
                return {name: 0.75 for name in search_space}

            def sample_independent(self, study, trial, name, distribution):
                return distribution.low

            def after_trial(self, study, trial, state, values):
                self.ended += 1

        study = self.study(sampler=Mine())
        study.optimize(square, n_trials=2)
        self.assertEqual([each.params["x"] for each in study.trials], [-5, 0.75])
        self.assertEqual(study.sampler.ended, 2)

    def test_quasi_random_points_do_not_follow_from_the_values(self):
        points = []
        for sign in (1, -1):
            study = self.study(sampler=optuna.samplers.QMCSampler(seed=5))
            study.optimize(lambda trial: sign * square(trial), n_trials=6)
            points.append([each.params for each in study.trials])
        self.assertEqual(*points)

    def test_random_points_are_spread_over_the_scale(self):
        study = self.study(sampler=at_random(3))
        study.optimize(lambda trial: trial.suggest_float("x", 1e-6, 1, log=True), n_trials=200)
        small = sum(each.params["x"] < 1e-3 for each in study.trials)
        self.assertTrue(60 < small < 140, small)


class StudiesTest(OptunaCase):
    def test_studies_of_one_storage(self):
        storage = optuna.storages.InMemoryStorage()
        study = optuna.create_study(storage=storage, study_name="a", direction="maximize")
        study.optimize(square, n_trials=2)
        with self.assertRaises(optuna.exceptions.DuplicatedStudyError):
            optuna.create_study(storage=storage, study_name="a")
        self.assertEqual(len(optuna.create_study(storage=storage, study_name="a",
                                                 load_if_exists=True).trials), 2)
        self.assertEqual(len(optuna.load_study(study_name=None, storage=storage).trials), 2)
        optuna.copy_study(from_study_name="a", from_storage=storage, to_storage=storage,
                          to_study_name="b")
        self.assertEqual(optuna.get_all_study_names(storage), ["a", "b"])
        summary = optuna.get_all_study_summaries(storage)[1]
        self.assertEqual((summary.study_name, summary.n_trials, summary.direction.name),
                         ("b", 2, "MAXIMIZE"))
        self.assertEqual(summary.best_trial.value, study.best_value)
        other = optuna.load_study(study_name="b", storage=storage)
        optuna.delete_study(study_name="b", storage=storage)
        with self.assertRaisesRegex(KeyError, "'b' was deleted"):
            other.ask()
        with self.assertRaisesRegex(KeyError, "no study 'b', but a"):
            optuna.load_study(study_name="b", storage=storage)

    def test_arguments_by_place_that_optuna_wants_by_name(self):
        storage = optuna.storages.InMemoryStorage()
        with self.assertWarnsRegex(FutureWarning, "give storage=..., sampler=...") as warned:
            study = optuna.create_study(storage, at_random(), None, "n", "maximize")
        self.assertEqual((study.direction.name, warned.filename), ("MAXIMIZE", __file__))
        with self.assertWarnsRegex(FutureWarning, "load_study: give study_name=..., storage"):
            self.assertEqual(optuna.load_study("n", storage).study_name, "n")
        with self.assertWarnsRegex(FutureWarning, "suggest_int: give step=... by name") as warned:
            value = study.ask().suggest_int("k", 1, 10, 3)
        self.assertEqual(((value - 1) % 3, warned.filename), (0, __file__))
        with self.assertWarns(FutureWarning):
            optuna.delete_study("n", storage)
        self.assertEqual(optuna.get_all_study_names(storage), [])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaisesRegex(TypeError, "two values of storage"):
                optuna.create_study(storage, storage=storage)
            with self.assertRaisesRegex(TypeError, "at most study_name, storage"):
                optuna.delete_study("n", storage, 3)

    def test_studies_without_a_name_have_their_own(self):
        names = {self.study().study_name for _ in range(3)}
        self.assertEqual(len(names), 3)
        self.assertTrue(all(each.startswith("no-name-") for each in names))

    def test_a_summary_without_the_best_trial(self):
        storage = optuna.storages.InMemoryStorage()
        study = self.study(storage=storage)
        study.optimize(square, n_trials=1)
        first, second = (optuna.get_all_study_summaries(storage, include_best_trial=each)[0]
                         for each in (True, False))
        self.assertEqual((first.best_trial.number, second.best_trial), (0, None))

    def test_arguments_that_make_no_sense(self):
        for trouble, settings in (
                ("exclude each other", {"direction": "minimize", "directions": ["minimize"]}),
                ("minimize' or 'max", {"direction": "up"}), ("at least one", {"directions": []})):
            with self.assertRaisesRegex(ValueError, trouble):
                optuna.create_study(**settings)
        with self.assertRaisesRegex(TypeError, "an object, not a class"):
            optuna.create_study(sampler=optuna.samplers.RandomSampler)
        with self.assertRaisesRegex(TypeError, "derives from BasePruner"):
            optuna.create_study(pruner=3)

    def test_what_is_not_served_says_what_to_use_instead(self):
        study = self.study()
        for hint, call in (
                ("VernierSampler", lambda: optuna.create_study(storage="mysql://me@host/a")),
                ("serve --optuna", lambda: optuna.create_study(storage="http://127.0.0.1:1")),
                ("VernierSampler", lambda: optuna.storages.RDBStorage("postgresql://host/a")),
                ("JournalFileBackend", lambda: optuna.storages.JournalStorage("a.log")),
                ("VernierSampler", lambda: optuna.storages.JournalRedisStorage("a")),
                ("locks its file", lambda: optuna.storages.journal.JournalRedisBackend),
                ("there are is_available, plot_contour",
                 lambda: optuna.visualization.matplotlib.plot_terminator_improvement(study)),
                ("lightgbm.train", lambda: optuna.integration.lightgbm.LightGBMTuner),
                ("there is OptunaSearchCV", lambda: optuna.integration.sklearn.OtherSearchCV),
                ("same InMemoryStorage", lambda: optuna.load_study(
                    study_name="a", storage=None)),
                ("needs no settings", lambda: optuna.samplers.nsgaii.OtherCrossover),
                ("needs no settings", lambda: optuna.samplers.BoTorchSampler),
                ("study.add_trials", lambda: optuna.samplers.CmaEsSampler(
                    source_trials=[1])),
                ("there are BasePruner", lambda: optuna.pruners.OtherPruner),
                ("there are is_available, matplotlib",
                 lambda: optuna.visualization.plot_terminator_improvement(study)),
                ("get_param_importances", lambda: optuna.importance.other),
                ("MaxTrialsCallback", lambda: optuna.terminator.TerminatorCallback()),
                ("there are ArtifactMeta", lambda: optuna.artifacts.Boto3ArtifactStore),
                ("vernier_hpo.integration", lambda: optuna.integration.MLflowCallback),
                ("docs/from-optuna.md", lambda: optuna.multi_objective)):
            with self.assertRaisesRegex(NotServedError, hint):
                call()
        for each in ("", ".matplotlib"):
            with self.assertRaisesRegex(NotServedError, "plot_other is not served"):
                exec(f"from vernier_hpo.optuna.visualization{each} import plot_other")

    def test_names_that_are_not_served_are_lacking_to_those_who_ask(self):
        modules = (optuna, optuna.artifacts, optuna.importance, optuna.integration,
                   optuna.pruners, optuna.samplers, optuna.storages, optuna.storages.journal,
                   optuna.terminator, optuna.visualization)
        for each in modules:
            self.assertFalse(hasattr(each, "other"), each)
            self.assertEqual(getattr(each, "other", 3), 3)
            with self.assertRaises(NotServedError):
                each.other
            # Programs do without what cannot be imported.
            with self.assertRaises(ImportError) as raised:
                exec(f"from {each.__name__} import other")
            self.assertIsInstance(raised.exception, NotServedError)
            with self.assertRaises(AttributeError):
                each._other

    def test_programs_may_ask_which_version_it_is(self):
        self.assertIs(importlib.import_module("vernier_hpo.optuna.trial._state").TrialState,
                      TrialState)
        self.assertEqual(optuna.version.__version__, vn.__version__)


class SearchSpaceTest(OptunaCase):
    def test_what_all_trials_declare_alike(self):
        study = self.study()
        study.optimize(branched, n_trials=12)
        found = optuna.search_space.IntersectionSearchSpace().calculate(study)
        self.assertEqual(list(found), ["kind", "x"])
        self.assertEqual(found["x"], FloatDistribution(-5, 5))
        self.assertEqual(optuna.search_space.intersection_search_space([]), {})
        pruned = study.ask()
        study.tell(pruned, state=PRUNED)
        self.assertEqual(optuna.search_space.intersection_search_space(
            study.trials, include_pruned=True), {})


class ArtifactTest(OptunaCase):
    def test_files_of_trials_and_studies(self):
        artifacts, study = optuna.artifacts, self.study()
        with tempfile.TemporaryDirectory() as folder:
            store = artifacts.FileSystemArtifactStore(base_path=folder)
            path = os.path.join(folder, "net.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write("weights")
            trial = study.ask()
            of_trial = artifacts.upload_artifact(
                artifact_store=store, file_path=path, study_or_trial=trial)
            artifacts.upload_artifact(artifact_store=store, file_path=path, study_or_trial=study)
            found, = artifacts.get_all_artifact_meta(study.trials[0])
            self.assertEqual((found.artifact_id, found.filename, found.mimetype),
                             (of_trial, "net.json", "application/json"))
            self.assertEqual(len(artifacts.get_all_artifact_meta(study)), 1)
            again = os.path.join(folder, "again")
            artifacts.download_artifact(artifact_store=store, file_path=again,
                                        artifact_id=of_trial)
            with open(again, encoding="utf-8") as file:
                self.assertEqual(file.read(), "weights")
            with self.assertRaises(FileExistsError):
                artifacts.download_artifact(artifact_store=store, file_path=again,
                                            artifact_id=of_trial)
            store.remove(of_trial)
            for call in (lambda: store.remove(of_trial), lambda: store.open_reader(of_trial)):
                with self.assertRaises(artifacts.exceptions.ArtifactNotFound):
                    call()
            with self.assertRaisesRegex(ValueError, "is no path"):
                store.open_reader("../secret")
            with self.assertRaisesRegex(TypeError, "the Trial that an objective"):
                artifacts.upload_artifact(artifact_store=store, file_path=path,
                                          study_or_trial=study.trials[0])


class DistributionTest(unittest.TestCase):
    def test_the_short_form_is_read(self):
        for text, expected in (
                ('{"type": "float", "low": 0, "high": 1, "log": false}', FloatDistribution(0, 1)),
                ('{"type": "int", "low": 0, "high": 9, "step": null}', IntDistribution(0, 9)),
                ('{"type": "categorical", "choices": ["a"]}', CategoricalDistribution(["a"]))):
            self.assertEqual(optuna.distributions.json_to_distribution(text), expected)
        with self.assertRaisesRegex(ValueError, "no distribution 'other'"):
            optuna.distributions.json_to_distribution('{"type": "other"}')
        self.assertEqual(optuna.distributions.DiscreteUniformDistribution(0, 1, 0.5).q, 0.5)

    def test_distributions_are_compared_and_written_down(self):
        distributions = optuna.distributions
        for each in (FloatDistribution(0, 1), FloatDistribution(0, 1, step=0.25),
                     IntDistribution(1, 9, log=True), CategoricalDistribution(["a", None, 1])):
            written = distributions.distribution_to_json(each)
            read = distributions.json_to_distribution(written)
            self.assertEqual(repr(read).replace("[", "(").replace("]", ")"),
                             repr(each).replace("[", "(").replace("]", ")"))
            if not isinstance(each, CategoricalDistribution):
                self.assertEqual((read, hash(read)), (each, hash(each)))
        self.assertNotEqual(FloatDistribution(0, 1), FloatDistribution(0, 2))
        self.assertTrue(IntDistribution(3, 3).single())
        self.assertTrue(distributions.UniformDistribution(0, 1).contains(0.5))
        self.assertEqual(distributions.IntLogUniformDistribution(1, 8).log, True)

    def test_ranges_end_at_a_step(self):
        with self.assertWarnsRegex(UserWarning, "ends at 7"):
            self.assertEqual(IntDistribution(1, 8, step=3).high, 7)
        with self.assertWarnsRegex(UserWarning, "ends at 0.8"):
            self.assertEqual(FloatDistribution(0, 1, step=0.4).high, 0.8)
        self.assertEqual(FloatDistribution(0, 0.3, step=0.1).high, 0.3)

    def test_bounds_beyond_floats_are_said_in_words_of_optuna(self):
        distributions = optuna.distributions
        for make, kind, message in (
                (lambda: distributions.FloatDistribution(-1e308, 1e308), ValueError,
                 "high - low must be"),
                (lambda: distributions.IntDistribution(0, 10 ** 400), ValueError,
                 "low and high must be finite"),
                (lambda: distributions.FloatDistribution("a", 1), ValueError,
                 "low must be a number"),
                (lambda: distributions.FloatDistribution(10 ** 400, 1), ValueError,
                 "low must be a number"),
                (lambda: distributions.FloatDistribution(0, None), TypeError,
                 "high is a number"),
                (lambda: distributions.FloatDistribution(0, 1, step=math.inf), ValueError,
                 "step must be"),
                (lambda: distributions.FloatDistribution(0, 1, step=5e-324), ValueError,
                 "step must be"),
                (lambda: distributions.CategoricalDistribution(5), TypeError,
                 "choices is a list: 5")):
            with self.assertRaisesRegex(kind, message):
                make()

    def test_bounds_that_make_no_sense(self):
        for make in (lambda: FloatDistribution(1, 0), lambda: FloatDistribution(0, 1, log=True),
                     lambda: FloatDistribution(0, math.inf), lambda: IntDistribution(1, 5, step=0),
                     lambda: FloatDistribution(1, 2, log=True, step=0.1),
                     lambda: IntDistribution(1, 5, log=True, step=2),
                     lambda: CategoricalDistribution([])):
            with self.assertRaises(ValueError):
                make()
        for bound in (math.nan, math.inf):
            with self.assertRaisesRegex(ValueError, "high must be a finite number"):
                IntDistribution(0, bound)
        with self.assertRaisesRegex(TypeError, "low is a whole number"):
            IntDistribution(None, 3)

    def test_fractions_are_cut_off_where_whole_numbers_are_asked_for(self):
        self.assertEqual(IntDistribution(1.2, 7.5), IntDistribution(1, 7))
        self.assertEqual(IntDistribution(1, 10, step=3.0), IntDistribution(1, 10, step=3))
        self.assertEqual(IntDistribution("1", Scalar(5)), IntDistribution(1, 5))
        self.assertEqual(FloatDistribution("0", "1", step="0.5"),
                         FloatDistribution(0, 1, step=0.5))

    def test_choices_are_the_same_if_they_are_equal_or_both_nan(self):
        one, other = (CategoricalDistribution([float("nan"), 1.0, "a"]) for _ in range(2))
        self.assertEqual((one, hash(one)), (other, hash(other)))
        self.assertNotEqual(one, CategoricalDistribution([float("nan"), 1.0]))
        self.assertNotEqual(one, CategoricalDistribution([2.0, 1.0, "a"]))
        self.assertNotEqual(one, FloatDistribution(0, 1))

    def test_true_is_not_one(self):
        choices = CategoricalDistribution([1, True, 0, False])
        self.assertEqual([choices.index_of(each) for each in (1, True, 0, False)], [0, 1, 2, 3])
        self.assertEqual(CategoricalDistribution([1, 2]).index_of(1.0), 0)

    def test_nan_is_a_choice_of_every_trial(self):
        study = optuna.create_study(sampler=seeded())
        study.optimize(lambda t: float(t.suggest_categorical("d", [float("nan"), 1.0]) == 1),
                       n_trials=6)
        self.assertEqual([each.state for each in study.trials], [COMPLETE] * 6)


class WithoutOptunaTest(unittest.TestCase):
    def test_neither_optuna_nor_anything_else_is_imported(self):
        shown = python("import sys, vernier_hpo.optuna; "
                       "print([n for n in ('optuna', 'numpy', 'pandas') if n in sys.modules])")
        self.assertEqual(shown, "[]\n")


if __name__ == "__main__":
    unittest.main()
