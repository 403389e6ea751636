"""Studies of the real service: made, asked, told, read and removed."""

import copy
import math
import os
import pickle
import re
import subprocess
import sys
import time
import unittest
import warnings

from package import SOURCES, Service, ServiceCase, python
from service import free_port
import vernier_hpo as vn
from vernier_hpo._study_calls import get_config

X = {"x": vn.Float(0, 1)}
MIXED = {
    "x": vn.Float(0, 1),
    "lr": vn.Float(1e-5, 1, log=True),
    "k": vn.Int(1, 8),
    "batch": vn.Discrete([16, 32, 64]),
    "opt": vn.Categorical(["sgd", "adam"]),
    "momentum": vn.Float(0, 0.9, when={"opt": "sgd"}),
    "flag": vn.Categorical([True, False, None, 3]),
}


class StudyTest(ServiceCase):
    def told(self, study, *values):
        trials = []
        for value in values:
            trial = study.ask()
            study.tell(trial, value)
            trials.append(trial)
        return trials

    def test_what_breaks_a_constraint_is_never_the_best(self):
        study = vn.create_study(X, goal="maximize", metric="accuracy", name="bounded",
                                constraints=[{"metric": "memory", "max": 4}])
        for accuracy, memory in ((0.5, 3), (0.9, 5), (0.7, 4)):
            study.tell(study.ask(), {"accuracy": accuracy, "memory": memory})
        self.assertEqual(study.best_trial.number, 3)
        self.assertEqual(study.best_value, 0.7)
        self.assertEqual(study.best_trial.metrics, {"accuracy": 0.7, "memory": 4.0})
        again = dict(goal="maximize", metric="accuracy", name="bounded", load_if_exists=True)
        vn.create_study(X, constraints=[{"metric": "memory", "max": 4}], **again)
        with self.assertRaisesRegex(vn.FailedPreconditionError, "has other constraints"):
            vn.create_study(X, constraints=[{"metric": "memory", "max": 5}], **again)
        for wrong in ([{"metric": "m"}], [{"max": 1}], [{"metric": "m", "most": 1}], [7]):
            with self.assertRaisesRegex(ValueError, "a constraint is"):
                vn.create_study(X, constraints=wrong)
        with self.assertRaisesRegex(vn.InvalidArgumentError, "above its max"):
            vn.create_study(X, constraints=[{"metric": "m", "min": 2, "max": 1}])

    def test_references_are_of_the_metrics(self):
        metrics = {"a": "minimize", "b": "maximize"}
        study = vn.create_study(X, metrics=metrics, references={"b": 0.5})
        self.told(study, (1, 1), (0, 2), (2, 0))
        self.assertEqual([each.number for each in study.best_trials], [2])
        # Its extent is none, so that of all trials stands for it: a tenth of 2 beyond 0;
        # 2 down to 0.5.
        self.assertAlmostEqual(study.hypervolume(), 0.2 * 1.5)
        self.assertIsNone(vn.create_study(X).hypervolume())
        with self.assertRaisesRegex(vn.InvalidArgumentError, '"c", which is no metric'):
            vn.create_study(X, metrics=metrics, references={"c": 0.5})

    def test_asked_values_fit_the_space_and_have_its_types(self):
        study = vn.create_study(MIXED, algorithm="random")
        seen = set()
        for _ in range(25):
            trial = study.ask()
            params = trial.params
            self.assertEqual("momentum" in params, params["opt"] == "sgd")
            self.assertEqual(list(params), [name for name in MIXED if name in params])
            for name, value in params.items():
                self.assertTrue(MIXED[name].contains(value), (name, value))
            self.assertIsInstance(params["x"], float)
            self.assertIs(type(params["k"]), int)
            self.assertIs(type(params["batch"]), int)
            self.assertEqual(trial["x"], params["x"])
            seen.add((params["opt"], repr(params["flag"])))
            study.tell(trial, params["x"])
        self.assertGreater(len(seen), 4)
        frozen = study.trials
        self.assertEqual([each.number for each in frozen], list(range(1, 26)))
        self.assertEqual(frozen[-1].params, params)
        self.assertTrue(any(each.params["flag"] is True for each in frozen))

    def test_the_best_trial(self):
        study = vn.create_study(X, goal="maximize", metric="accuracy")
        with self.assertRaisesRegex(vn.NotFoundError, "no trial has a value"):
            study.best_trial  # noqa: B018
        trials = self.told(study, 0.1, 0.7, 0.4)
        best = study.best_trial
        self.assertEqual((best.number, best.value, best.params),
                         (2, 0.7, trials[1].params))
        self.assertEqual((study.best_value, study.best_params), (0.7, best.params))
        self.assertEqual(best.state, vn.TrialState.COMPLETE)
        self.assertEqual(best.metrics, {"accuracy": 0.7})
        self.assertGreaterEqual(best.duration.total_seconds(), 0)
        self.assertIn("Trial 2 of study", study.why(2))

    def test_several_metrics_have_a_front(self):
        study = vn.create_study(X, metrics={"loss": "minimize", "speed": "maximize"})
        for values in ([1.0, 5.0], {"speed": 9.0, "loss": 2.0}, (3.0, 1.0)):
            study.tell(study.ask(), values)
        self.assertEqual([each.values for each in study.best_trials],
                         [[1.0, 5.0], [2.0, 9.0]])
        self.assertEqual(study.trials[2].metrics, {"loss": 3.0, "speed": 1.0})
        self.assertEqual(study.get_trial(2).value, 2.0)
        with self.assertRaisesRegex(ValueError, "1 values for 2 metrics"):
            study.tell(study.ask(), 1.0)
        with self.assertRaisesRegex(ValueError, "no value of the metric 'speed'"):
            study.tell(study.ask(), {"loss": 1.0})

    def test_several_metrics_are_searched_for_their_front(self):
        study = vn.create_study({"x": vn.Float(0, 1), "y": vn.Float(0, 1)}, seed=5,
                                metrics={"loss": "minimize", "speed": "maximize"})

        def objective(trial):  # They trade off along x, and y only costs.
            x, y = trial.params["x"], trial.params["y"]
            return {"loss": x ** 2 + y, "speed": 2 - (x - 1) ** 2 - y}

        study.optimize(objective, n_trials=20)
        self.assertIn("promised to widen the front", study.why(20))
        late = [each.params["y"] for each in study.trials[8:]]
        self.assertLess(sorted(late)[len(late) // 2], 0.1)
        self.assertGreaterEqual(len(study.best_trials), 5)

    def test_the_first_trial_has_the_defaults(self):
        study = vn.create_study({"x": vn.Float(0, 1, default=0.125),
                                 "k": vn.Int(1, 9)})
        self.assertEqual(study.ask().params, {"x": 0.125, "k": 5})
        self.assertEqual([each.number for each in study.trials], [1])

    def test_the_first_trial_has_the_defaults_whoever_asks(self):
        first = vn.create_study({"x": vn.Float(0, 1, default=0.125)})
        second = vn.create_study({"x": vn.Float(0, 1, default=0.125)}, name=first.name,
                                 load_if_exists=True)
        self.assertEqual(second.ask().params, {"x": 0.125})
        self.assertNotEqual(first.ask().params, {"x": 0.125})
        self.assertNotEqual(vn.load_study(first.name).ask().params, {"x": 0.125})
        self.assertEqual(len(first.trials), 3)

    def test_a_client_of_another_kind_that_asks_first_gets_the_defaults(self):
        study = vn.create_study({
            "x": vn.Float(0, 1, default=0.125), "k": vn.Int(1, 9, default=3),
            "d": vn.Discrete([1, 2, 4], default=4), "y": vn.Float(0, 1),
            "c": vn.Categorical([None, 0.5, "a"], default=0.5)})
        asked = study._calls.suggest("a client of the REST interface")[0]
        self.assertEqual(study.get_trial(1).params,
                         {"x": 0.125, "k": 3, "d": 4, "y": 0.5, "c": 0.5}, asked)
        self.assertIn("the defaults", study.why(1))
        self.assertNotEqual(study.ask().params, study.get_trial(1).params)
        loaded = vn.load_study(study.name)
        self.assertEqual({name: each.default for name, each in loaded.space.items()},
                         {"x": 0.125, "k": 3, "d": 4, "y": None, "c": 0.5})

    def test_an_enqueued_point_comes_before_the_defaults(self):
        study = vn.create_study({"x": vn.Float(0, 1, default=0.125)})
        study.enqueue_trial({"x": 0.75})
        trial = study.ask()
        self.assertEqual((trial.number, trial.params), (1, {"x": 0.75}))

    def test_threads_begin_with_the_defaults_once(self):
        study = vn.create_study({"x": vn.Float(0, 1, default=0.125)})
        study.optimize(lambda trial: trial["x"], 8, n_jobs=4)
        self.assertEqual([each.number for each in study.trials
                          if each.params["x"] == 0.125], [1])

    def test_the_defaults_come_first_after_trials_from_elsewhere(self):
        study = vn.create_study({"x": vn.Float(0, 1, default=0.125)})
        study.add_trial({"x": 0.5}, 1.0)
        self.assertEqual(study.ask().params, {"x": 0.125})
        again = vn.load_study(study.name)
        again.tell(2, 1.0)
        self.assertNotEqual(again.ask().params, {"x": 0.125})

    def test_a_first_trial_that_was_abandoned_leaves_a_study_that_goes_on(self):
        study = vn.create_study({"x": vn.Float(0, 1, default=0.125)})
        study.abandon(study.ask())
        self.assertEqual(vn.load_study(study.name).ask().params, {"x": 0.125})

    def test_attributes_of_enqueued_and_resumed_trials_are_known(self):
        study = vn.create_study(X)
        study.enqueue_trial({"x": 0.5}, user_attrs={"by": "hand"})
        trial = study.ask()
        trial.set_user_attr("epochs", 3)
        self.assertEqual(trial.user_attrs, {"by": "hand", "epochs": 3})
        resumed = study._ask_as(trial._client, lambda name: None)
        self.assertEqual((resumed.number, resumed.user_attrs), (trial.number, trial.user_attrs))

    def test_a_trial_that_was_read_is_pickled_sorted_and_hashed(self):
        study = vn.create_study(X)
        for value in (2.0, 1.0):
            trial = study.ask()
            trial.set_user_attr("list", [1])
            trial.report(value, 1)
            study.tell(trial, value)
        trials = study.trials
        self.assertEqual(sorted(reversed(trials)), trials)
        self.assertEqual(len({*trials, *study.trials}), 2)
        read = pickle.loads(pickle.dumps(trials))
        self.assertEqual((read, read[0].value), (trials, 2.0))
        with self.assertRaisesRegex(RuntimeError, r"study.get_trial\(1\) asks the service"):
            read[0].intermediate_values
        copied = copy.deepcopy(trials[0])
        self.assertEqual(copied.intermediate_values, {1: 2.0})
        copied.user_attrs["list"].append(2)
        self.assertEqual(trials[0].user_attrs, {"list": [1]})

    def test_a_stop_that_is_refused_leaves_the_trial_as_it_is(self):
        study = vn.create_study(X)
        trial = study.ask()
        with self.assertRaisesRegex(vn.InvalidArgumentError, "has reported nothing: give a"):
            study.tell(trial, state="stopped")
        with self.assertRaisesRegex(ValueError, "is no number"):
            study.tell(trial, "high", state="stopped")
        self.assertEqual(study.get_trial(trial.number).state, vn.TrialState.RUNNING)
        study.tell(trial, 0.5)

    def test_what_has_no_name_or_is_no_text_is_named(self):
        study = vn.create_study(X)
        with self.assertRaisesRegex(ValueError, "a metric's name is a text that is not empty"):
            study.ask().report({"": 1.0}, 1)
        with self.assertRaisesRegex(TypeError, "a note is a text: 5"):
            study.note = 5

    def test_enqueued_points_come_first(self):
        study = vn.create_study(MIXED)
        point = {"x": 0.5, "lr": 0.1, "k": 2, "batch": 64, "opt": "adam", "flag": None}
        number = study.enqueue_trial(point)
        self.assertEqual(study.get_trial(number).state, vn.TrialState.WAITING)
        trial = study.ask()
        self.assertEqual((trial.number, trial.params), (number, point))
        with self.assertRaisesRegex(ValueError, "momentum is missing"):
            study.enqueue_trial({**point, "opt": "sgd"})

    def test_trials_from_elsewhere_are_added(self):
        study = vn.create_study(X)
        study.add_trial({"x": 0.25}, 0.5)
        study.add_trial({"x": 0.75}, state="infeasible", reason="too large")
        first, second = study.trials
        self.assertEqual((first.params, first.value), ({"x": 0.25}, 0.5))
        self.assertEqual((second.state, second.message),
                         (vn.TrialState.INFEASIBLE, "too large"))
        with self.assertRaisesRegex(ValueError, "needs a value"):
            study.add_trial({"x": 0.5})

    def test_two_open_trials_are_two(self):
        study = vn.create_study(X)
        first, second = study.ask(), study.ask()
        self.assertEqual((first.number, second.number), (1, 2))
        self.assertNotEqual(first.params, second.params)

    def test_an_ended_trial_cannot_end_again(self):
        study = vn.create_study(X)
        trial, = self.told(study, 1.0)
        with self.assertRaises(vn.FailedPreconditionError):
            study.tell(trial, 2.0)
        self.assertEqual(study.trials[0].value, 1.0)

    def test_a_trial_that_is_told_twice_leaves_later_ones_apart(self):
        study = vn.create_study(X)
        trial = study.ask()
        study.tell(trial, 1.0)
        study.tell(trial, 1.0)  # The same result again changes nothing.
        study.abandon(study.ask())
        first, second = study.ask(), study.ask()
        self.assertNotEqual(first.number, second.number)
        study.tell(first, 1.0)
        study.tell(second, 2.0)

    def test_what_is_of_the_wrong_kind_is_named(self):
        study = vn.create_study(X)
        trial = study.ask()
        cases = [
            (lambda: vn.create_study(X, name=5), "a study's name is a text"),
            (lambda: vn.load_study(5), "a study's name is a text"),
            (lambda: vn.create_study(X, metrics=["a", "b"]), "metrics is a dict"),
            (lambda: vn.create_study(X, goal=5), "a goal is"),
            (lambda: trial.report("a", 1), "'value' is no number: 'a'"),
            (lambda: trial.report(1.0, 1.5), "step is a whole number: 1.5"),
            (lambda: trial.report(1.0, "a"), "step is a whole number: 'a'"),
            (lambda: trial.report(1.0, -1), "step must be >= 0"),
            (lambda: study.tell(trial, 1j), "'value' is no number"),
        ]
        for call, message in cases:
            with self.subTest(message), self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(message, str(caught.exception))
        trial.report(1.0, 2.0)  # As some libraries count their epochs.
        self.assertEqual(study.get_trial(1).intermediate_values, {2: 1.0})

    def test_an_abandoned_trial_is_gone(self):
        study = vn.create_study(X)
        study.abandon(study.ask())
        self.assertEqual(study.trials, [])
        self.assertEqual(study.ask().number, 2)

    def test_failures_say_how_trials_died_and_where(self):
        study = vn.create_study(X, name="dies")
        self.assertEqual(study.get_failures(), [])
        for i in range(20):
            if i < 14:
                study.add_trial({"x": i / 20}, 1.0)
            else:
                study.add_trial({"x": i / 20}, state="infeasible", reason="too large")
        died, = study.get_failures()
        self.assertEqual((died["kind"], died["count"], died["share"]), ("OTHER", 6, 0.3))
        self.assertEqual(died["boundary"]["threshold"], 0.67)
        self.assertIn("with x above 0.67, 6 of 6 did", died["text"])
        self.assertIn("with x above 0.67 failed", study.why(1))

    def test_infeasible_and_not_finite_trials_have_no_value(self):
        study = vn.create_study(X)
        study.tell(study.ask(), state="infeasible", reason="out of memory")
        study.tell(study.ask(), state=vn.TrialState.FAIL)
        with self.assertLogs("vernier_hpo", "WARNING") as logged:
            study.tell(study.ask(), math.nan)
        self.assertIn("trial 3 is infeasible: its value is nan", logged.output[0])
        study.tell(study.ask(), 3.0)
        self.assertEqual([each.value for each in study.trials], [None, None, None, 3.0])
        self.assertEqual(study.trials[0].message, "out of memory")
        self.assertEqual(study.trials[2].end_cause, "not_finite")
        self.assertEqual(study.trials[2].state, vn.TrialState.INFEASIBLE)
        self.assertEqual(study.trials[2].message, "its last value of value was nan")
        with self.assertRaisesRegex(ValueError, "has no value"):
            study.tell(study.ask(), 1.0, state="infeasible")
        with self.assertRaisesRegex(ValueError, "a trial ends as completed"):
            study.tell(study.ask(), 1.0, state="running")

    def test_reports_are_a_curve(self):
        study = vn.create_study(X)
        trial = study.ask()
        for step in range(1, 4):
            trial.report(1 / step, step)
        trial.report({"accuracy": 0.5}, 4)
        trial.report(math.inf, 5)
        trial.report(0.25, 6)
        study.tell(trial, state="stopped")
        frozen = study.trials[0]
        self.assertEqual(frozen.intermediate_values,
                         {1: 1.0, 2: 0.5, 3: 1 / 3, 5: math.inf, 6: 0.25})
        self.assertEqual(frozen.state, vn.TrialState.PRUNED)

    def test_a_stopped_trial_keeps_its_last_value(self):
        study = vn.create_study(X)
        trial = study.ask()
        trial.report(0.75, 1)
        study.tell(trial, state="pruned")
        self.assertEqual((study.trials[0].state, study.trials[0].value),
                         (vn.TrialState.STOPPED, 0.75))
        study.tell(study.ask(), 0.5, state="stopped")
        study.add_trial({"x": 0.5}, 0.25, state="stopped")
        # It is so everywhere, and none of them is the best.
        self.assertEqual([each.number for each in study.get_trials("state=stopped")],
                         [1, 2, 3])
        listed = self.service.json("trials", "list", study.full_name)
        self.assertEqual([(each["state"], each["endCause"]) for each in listed],
                         [("STOPPED", "stopped_early")] * 3)
        self.assertEqual(self.service.json("trials", "best", study.full_name), [])
        with self.assertRaisesRegex(vn.NotFoundError, "no trial has a value"):
            study.best_trial  # noqa: B018
        self.assertEqual(study.best_trials, [])
        study.tell(study.ask(), 0.875)
        self.assertEqual(study.best_trial.number, 4)

    def test_a_bad_trial_should_stop(self):
        # With one seed in some hundreds the model takes the next suggestion for
        # so much worse still that the bad trial is worth going on with.
        study = vn.create_study(X, seed=1)
        for i in range(6):
            trial = study.ask()
            for step in range(1, 11):
                trial.report((2 - 0.1 * i) / step, step)
                self.assertFalse(trial.should_stop(), "it is the best so far")
            study.tell(trial, (2 - 0.1 * i) / 10)
        bad = study.ask()
        answers = []
        for step in range(1, 9):
            bad.report(9.0, step)
            answers.append(bad.should_prune())
        self.assertIn(True, answers)
        for off in (False, "NONE", {"rule": "none"}):
            silent = vn.create_study(X, early_stopping=off)
            self.assertFalse(silent._early_stopping)
            for i in range(6):
                trial = silent.ask()
                for step in range(1, 11):
                    trial.report((2 - 0.1 * i) / step, step)
                silent.tell(trial, (2 - 0.1 * i) / 10)
            never = silent.ask()
            never.report(9.0, 8)
            # Not only the package, but the service, too, says so.
            self.assertFalse(never.should_stop() or silent._calls.should_stop(7))

    def test_each_rule_answers(self):
        for rule in ("MEDIAN", "decay_curve", {"rule": "HYPERBAND", "brackets": 1},
                     {"rule": "ASHA", "min_steps": 1, "max_steps": 9}):
            with self.subTest(rule):
                study = vn.create_study(X, early_stopping=rule, seed=1)
                for i in range(8):
                    trial = study.ask()
                    for step in range(1, 10):
                        trial.report((2 - 0.1 * i) / step, step)
                    study.tell(trial, (2 - 0.1 * i) / 9)
                bad = study.ask()
                for step in range(1, 9):
                    bad.report(9.0, step)
                self.assertTrue(bad.should_stop())
                # Whoever else asks gets the same answer.
                again = vn.load_study(study.full_name)
                self.assertTrue(again._calls.should_stop(bad.number))
                # It was told to stop, whatever it says of its end.
                study.tell(bad, 9.0)
                self.assertEqual(study.trials[-1].state, vn.TrialState.STOPPED)
        stored = study._calls.describe()["stoppingRule"]
        self.assertEqual(stored, "ASHA")

    def test_a_study_may_look_for_gain_per_second(self):
        for per_cost in (False, True):
            study = vn.create_study(X, per_cost=per_cost)
            own = get_config(study._transport, study.full_name).get("vernier", {})
            self.assertEqual(own.get("perCost", False), per_cost)

    def test_points_may_be_tried_several_times(self):
        study = vn.create_study(X, name="repeats", repeats=3)
        points = []
        # The second point is not worse than the first with any confidence.
        for value in (0.1, 0.5, 0.3, 0.2, 0.6, 0.4):
            trial = study.ask()
            points.append(trial.params["x"])
            study.tell(trial, value)
        self.assertEqual(points[:3], [points[0]] * 3)
        self.assertEqual(points[3:], [points[3]] * 3)
        self.assertNotEqual(points[0], points[3])
        own = get_config(study._transport, study.full_name)["vernier"]
        self.assertEqual(own["repeats"], 3)
        with self.assertWarnsRegex(vn.IgnoredArgumentWarning, "repeats=3, and not 'AUTO'"):
            vn.create_study(X, name="repeats", repeats="auto", load_if_exists=True)
        for wrong in (1, 101, "often", 2.5, True):
            with self.subTest(wrong), self.assertRaises((ValueError, TypeError)):
                vn.create_study(X, repeats=wrong)

    def test_a_study_learns_from_earlier_ones(self):
        old = vn.create_study({"rate": vn.Float(0, 2)}, name="prior-old", goal="maximize")
        old.optimize(lambda trial: 1 - (trial.params["rate"] - 0.7) ** 2, n_trials=12)
        study = vn.create_study(X, name="prior-new", prior_studies=[old],
                                prior_rename={"rate": "x"})
        trial = study.ask()
        self.assertAlmostEqual(trial.params["x"], 0.7, delta=0.1)
        own = get_config(study._transport, study.full_name)["vernier"]
        self.assertEqual(own["priorStudies"], ["prior-old"])
        self.assertEqual(own["priorRename"], {"rate": "x"})
        with self.assertRaisesRegex(vn.NotFoundError, "no job or study \"nowhere\""):
            vn.create_study(X, prior_studies=["nowhere"])
        with self.assertRaises(TypeError):
            vn.create_study(X, prior_studies="prior-old")

    def test_beliefs_draw_the_first_trials(self):
        space = {"rate": vn.Float(1e-4, 1, log=True), "depth": vn.Int(1, 9),
                 "size": vn.Categorical([8, 16, 32])}
        study = vn.create_study(space, name="believed", beliefs={
            "rate": {"near": 0.02, "within": "10x"}, "size": {"near": 32}})
        self.assertEqual(study.ask().params, {"rate": 0.02, "depth": 5, "size": 32})
        own = get_config(study._transport, study.full_name)["vernier"]
        self.assertEqual(own["beliefs"], {"rate": {"near": 0.02, "within": "10x"},
                                          "size": {"near": "32"}})
        with self.assertRaisesRegex(vn.InvalidArgumentError, "beliefs.depth.near: must be"):
            vn.create_study(space, beliefs={"depth": {"near": 10}})
        for wrong in ({"depth": 4}, {"depth": {"within": 2}}, {"depth": {"near": 4, "x": 1}}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                vn.create_study(space, beliefs=wrong)

    def test_points_meet_constraints_between_parameters(self):
        space = {"a": vn.Float(0, 1, default=0.9), "b": vn.Float(0, 1),
                 "opt": vn.Categorical(["sgd", "adam"])}
        constraints = ["a + b <= 0.5", "not (opt = sgd and a > 0.1)"]
        study = vn.create_study(space, name="constrained", constraints=constraints)
        for _ in range(15):
            trial = study.ask()
            self.assertLessEqual(trial.params["a"] + trial.params["b"], 0.5)
            self.assertFalse(trial.params["opt"] == "sgd" and trial.params["a"] > 0.1)
            study.tell(trial, trial.params["a"])
        with self.assertRaisesRegex(vn.InvalidArgumentError, "a \\+ b <= 0.5"):
            study.enqueue_trial({"a": 0.5, "b": 0.5, "opt": "adam"})
        again = vn.create_study(space, name="constrained", load_if_exists=True,
                                constraints=["a+b<=0.5", constraints[1]])
        self.assertEqual(len(again.trials), len(study.trials))
        with self.assertRaisesRegex(vn.FailedPreconditionError, "other constraints"):
            vn.create_study(space, name="constrained", load_if_exists=True,
                            constraints=["a + b <= 0.6"])

    def test_constraints_that_cannot_be_are_refused(self):
        for constraints, error in (
                ("x <= 0.5", "constraints is a list"),
                (["x <= y"], 'no parameter is called "y"'),
                (["x <= 0.1", "x >= 0.2"], "meets together")):
            with self.assertRaisesRegex(ValueError, error):
                vn.create_study({"x": vn.Float(0, 1)}, constraints=constraints)

    def test_a_rule_that_cannot_be_is_refused(self):
        with self.assertRaisesRegex(ValueError, "no stopping rule 'ASAH', but AUTO"):
            vn.create_study(X, early_stopping="asah")
        with self.assertRaisesRegex(ValueError, "no option 'patience', but rule"):
            vn.create_study(X, early_stopping={"patience": 3})

    def test_a_study_is_found_again(self):
        study = vn.create_study(MIXED, name="found", goal="maximize", metric="a")
        study.tell(study.ask(), 0.5)
        again = vn.load_study("found", space=MIXED)
        self.assertEqual(again.trials, study.trials)
        self.assertEqual((again.goal, again.metrics), ("maximize", {"a": "maximize"}))
        loaded = vn.load_study(study.full_name)
        self.assertEqual(loaded.space["momentum"], vn.Float(0, 0.9, when={"opt": ["sgd"]}))
        self.assertEqual(loaded.trials, study.trials)
        with self.assertRaisesRegex(vn.FailedPreconditionError, "another search space"):
            vn.load_study("found", space=X)
        same = vn.create_study(MIXED, name="found", goal="maximize", metric="a",
                               load_if_exists=True)
        self.assertEqual(len(same.trials), 1)
        with self.assertRaisesRegex(vn.FailedPreconditionError, "other metrics"):
            vn.create_study(MIXED, name="found", load_if_exists=True)
        with self.assertRaisesRegex(vn.AlreadyExistsError, "load_if_exists=True"):
            vn.create_study(MIXED, name="found")

    def test_another_program_finds_the_choices_as_they_were_given(self):
        space = {"flag": vn.Categorical([True, False, None, 3, "3.0"], default=False),
                 "x": vn.Float(0, 1, default=0.25, when={"flag": [False, None]}),
                 "opt": vn.Categorical(["sgd", "adam"])}
        vn.create_study(space, name="typed")
        loaded = vn.load_study("typed")
        self.assertEqual(loaded.space, space)
        params = loaded.ask().params
        self.assertIs(params["flag"], False)
        self.assertEqual(params["x"], 0.25)
        loaded.enqueue_trial({"opt": "adam"})
        self.assertEqual(loaded.ask().params, {"flag": False, "x": 0.25, "opt": "adam"})
        for flag in (True, None, 3, "3.0"):
            loaded.enqueue_trial({"flag": flag, "opt": "sgd"})
            found = loaded.ask().params["flag"]
            self.assertEqual((found, type(found)), (flag, type(flag)))

    def test_names_that_are_not_there_are_errors(self):
        with self.assertRaises(vn.NotFoundError):
            vn.load_study("nowhere")
        with self.assertRaises(vn.NotFoundError):
            vn.delete_study("nowhere")
        with self.assertRaisesRegex(vn.NotFoundError, "has no trial 7"):
            vn.create_study(X).get_trial(7)
        with self.assertRaisesRegex(vn.InvalidArgumentError, "without '/'"):
            vn.load_study("a/b")
        with self.assertRaises(vn.InvalidArgumentError):
            vn.create_study(X).get_trials("colour=red")
        with self.assertRaisesRegex(ValueError, "not both"):
            vn.create_study(X, goal="minimize", metrics={"a": "minimize"})

    def test_studies_are_listed_and_deleted(self):
        study = vn.create_study(X, name="listed", goal="maximize")
        self.told(study, 1.0, 4.0)
        summary = {each.name: each for each in vn.list_studies()}["listed"]
        self.assertEqual((summary.n_trials, summary.best_value, summary.is_job),
                         (2, 4.0, False))
        shown = self.service.json("studies", "list")
        self.assertIn(study.full_name, [each["name"] for each in shown])
        vn.delete_study("listed")
        self.assertNotIn("listed", [each.name for each in vn.list_studies()])
        with self.assertRaises(vn.NotFoundError):
            study.ask()

    def test_a_name_may_be_any_text(self):
        name = "größer & besser? 100% #1"
        study = vn.create_study(X, name=name)
        self.told(study, 1.0)
        self.assertEqual(vn.load_study(name).best_value, 1.0)
        vn.delete_study(name)

    def test_projects_are_apart(self):
        vn.create_study(X, name="mine", project="p1")
        self.assertNotIn("mine", [each.name for each in vn.list_studies()])
        self.assertEqual([each.name for each in vn.list_studies(project="p1")],
                         ["mine"])

    def test_a_seed_without_effect_is_told(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            study = vn.create_study(X, seed=1)
        # Only a service that has no place for it warns.
        stored = study._calls.describe()["seed"]
        self.assertEqual(stored != "1", bool(caught))
        if caught:
            self.assertIs(caught[0].category, vn.IgnoredArgumentWarning)
            self.assertEqual(caught[0].filename, __file__)

    def test_a_study_may_be_pickled(self):
        study = vn.create_study(MIXED)
        study.tell(study.ask(), 1.0)
        again = pickle.loads(pickle.dumps(study))
        self.assertEqual(again.trials, study.trials)

    def test_it_shows_itself(self):
        study = vn.create_study({"<b>": vn.Float(0, 1)}, name="shown")
        trial = study.ask()
        study.tell(trial, 0.5)
        self.assertEqual(repr(study), "Study(name='shown', metrics={'value': 'minimize'})")
        self.assertIn("Trial(number=1, params={'<b>': ", repr(trial))
        self.assertIn("number=1, state=", repr(study.best_trial))
        page = study._repr_html_()
        self.assertIn("&lt;b&gt;", page)
        self.assertNotIn("<th><b>", page)
        self.assertIn("1 trials, 0 open<", page)
        self.assertIn("<td>0.5</td>", page)
        self.assertRegex(study.url, r"^http://127.0.0.1:\d+/ui/jobs/\d+$")

    def test_a_study_that_nobody_works_on_is_idle_on_every_face(self):
        code = """
import os, sys
import vernier_hpo as vn
study = vn.create_study({"x": vn.Float(0, 1)}, name="left")
study.ask()
if sys.argv[1] == "stay":
    print("asked", flush=True)
    sys.stdin.read()
os._exit(0)  # As if it were killed.
"""
        with subprocess.Popen([sys.executable, "-c", code, "stay"], text=True,
                              env={**os.environ, "PYTHONPATH": SOURCES},
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
            self.assertEqual(program.stdout.readline(), "asked\n")
            self.assertEqual(self.shown_states("left"), ["ACTIVE", "ACTIVE", "ACTIVE"])
            self.assertIn("is active; its clients", self.service.cli("why", "left").stdout)
            program.stdin.close()
        self.assertEqual(self.shown_states("left"), ["IDLE", "IDLE", "IDLE"])
        self.assertIn("is idle: nobody has worked on it for ",
                      self.service.cli("why", "left").stdout)
        self.assertEqual(self.service.json("studies", "describe", "left")["state"], "ACTIVE")
        self.assertTrue(self.service.json("studies", "describe", "left")["idle"])
        listed = {each.name: each for each in vn.list_studies()}
        self.assertIsNotNone(listed["left"].idle_since)
        study = vn.load_study("left")
        self.assertIn("1 open; nobody works on it", study._repr_html_())
        study.close()
        self.assertNotIn("idle", self.service.json("studies", "describe", "left"))
        self.assertEqual(self.service.json("studies", "describe", "left")["state"],
                         "COMPLETED")

    def shown_states(self, name):
        """The state of a study in `status`, `top` and `studies list`."""
        rows = [re.search(rf"(?m)^{name} +(\w+) ", self.service.cli(*words).stdout)
                for words in (["status"], ["top", "--once"])]
        listed = re.search(rf"(?m)/{name} +(\w+) ", self.service.cli("studies", "list").stdout)
        return [each.group(1) for each in [*rows, listed]]

    def test_what_needs_a_library_says_which(self):
        code = """
import sys
sys.modules["pandas"] = sys.modules["matplotlib"] = None
import vernier_hpo as vn
from vernier_hpo._study_calls import get_config
study = vn.create_study({"x": vn.Float(0, 1)})
for call in (study.trials_dataframe, study.plot_history):
    try:
        call()
    except ImportError as error:
        print(error)
"""
        printed = python(code, env={"VERNIER_ENDPOINT": self.service.endpoint})
        self.assertIn("pip install pandas", printed)
        self.assertIn("pip install matplotlib", printed)

    def test_an_endpoint_may_be_named(self):
        storage = os.path.dirname(self.service.endpoint[len("unix:"):])
        del os.environ["VERNIER_ENDPOINT"]
        for place in ({"storage": storage}, {"endpoint": self.service.endpoint}):
            study = vn.create_study(X, **place)
            self.told(study, 1.0)
        os.environ["VERNIER_TOKEN"] = self.service.cli(
            "tokens", "create", "--scope", "project-write", "--project",
            "default").stdout.strip()
        self.addCleanup(os.environ.pop, "VERNIER_TOKEN")
        url = study._transport.url()
        self.assertEqual(vn.load_study(study.name, endpoint=url).best_value, 1.0)
        os.environ["VERNIER_TOKEN"] = "vernier_" + "0" * 64
        with self.assertRaises(vn.UnauthenticatedError):
            vn.load_study(study.name, endpoint=url + "/").best_trial

    def test_a_used_up_quota_is_an_error_at_once(self):
        self.service.cli("projects", "set-quota", "small", "--max-studies", "1")
        vn.create_study(X, project="small")
        begin = time.monotonic()
        with self.assertRaises(vn.ResourceExhaustedError):
            vn.create_study(X, project="small")
        self.assertLess(time.monotonic() - begin, 30)  # It is not called again and again.

    def test_a_grpc_endpoint_on_tcp(self):
        place = f"127.0.0.1:{free_port()}"
        with Service("--listen", place) as other:
            with self.assertRaisesRegex(vn.VernierError, "token"):
                vn.create_study(X, endpoint=place)
            os.environ["VERNIER_TOKEN"] = other.cli(
                "tokens", "create", "--scope", "project-write", "--project",
                "default").stdout.strip()
            self.addCleanup(os.environ.pop, "VERNIER_TOKEN")
            study = vn.create_study(X, endpoint=place)
            self.told(study, 1.0)
            self.assertEqual(study.best_value, 1.0)

    def test_a_revoked_token_is_replaced(self):
        study = vn.create_study(X)
        for token in self.service.json("tokens", "list")["tokens"]:
            if token["label"] == "python":
                self.service.cli("tokens", "revoke", token["id"])
        self.told(study, 1.0)
        self.assertEqual(study.best_value, 1.0)


if __name__ == "__main__":
    unittest.main()
