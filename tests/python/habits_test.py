"""What people do that no page shows them: habits from elsewhere, and slips."""

import datetime
import math
import os
import pathlib
import time
import unittest
from unittest import mock

from package import ServiceCase
import vernier_hpo as vn
from vernier_hpo import _transport
from vernier_hpo._location import location_of

X = {"x": vn.Float(0, 1)}


class Array:
    """As numpy's arrays and torch's tensors are."""

    def __init__(self, values):
        self.values = values

    def tolist(self):
        return self.values


class HabitsTest(ServiceCase):
    def test_a_trial_of_another_study_is_refused(self):
        one, two = vn.create_study(X, name="one"), vn.create_study(X, name="two")
        mine, other = one.ask(), two.ask()
        for call in (lambda: one.tell(other, 1.0), lambda: one.abandon(other)):
            with self.assertRaisesRegex(ValueError, "trial 1 is one of the study two"):
                call()
        # Another object for the same study is the same study.
        vn.load_study("one").tell(mine, 2.0)
        self.assertEqual([each.value for each in one.trials], [2.0])

    def test_a_trial_that_was_read_may_be_told(self):
        study = vn.create_study(X)
        study.ask()
        study.tell(study.get_trials("state=active")[0], 1.0)
        self.assertEqual(study.best_value, 1.0)

    def test_a_trials_number_is_whole(self):
        study = vn.create_study(X)
        study.ask()
        for call in (lambda: study.tell("1", 1.0), lambda: study.tell(1.5, 1.0),
                     lambda: study.abandon(None), lambda: study.get_trial("1")):
            with self.assertRaisesRegex(TypeError, "is a whole number"):
                call()
        self.assertEqual(study.trials[0].state, vn.TrialState.ACTIVE)

    def test_values_may_be_an_array(self):
        study = vn.create_study(X, metrics={"loss": "minimize", "speed": "maximize"})
        study.optimize(lambda trial: Array([1.0, 2.0]), n_trials=1)
        self.assertEqual(study.trials[0].values, [1.0, 2.0])
        single = vn.create_study(X)
        single.tell(single.ask(), Array([3.0]))
        single.tell(single.ask(), Array(4.0))
        self.assertEqual([each.value for each in single.trials], [3.0, 4.0])
        with self.assertRaisesRegex(ValueError, "2 values for 1 metrics"):
            single.tell(single.ask(), Array([1.0, 2.0]))

    def test_a_choice_is_found_by_its_value(self):
        study = vn.create_study({
            "c": vn.Categorical([1, 2.5, True]),
            "y": vn.Float(0, 1, default=0.5, when={"c": 1.0})})
        study.enqueue_trial({"c": 1.0})
        params = study.ask().params
        self.assertEqual((params, type(params["c"])), ({"c": 1, "y": 0.5}, int))
        with self.assertRaisesRegex(ValueError, "c cannot be '1'"):
            study.enqueue_trial({"c": "1"})

    def test_points_are_proposed_by_name(self):
        study = vn.create_study({"x": vn.Float(0, 1), "c": vn.Categorical([1, True, None])},
                                goal="minimize", seed=1)
        study.propose({"x": 0.3, "c": None}, source="an agent")
        study.propose({"x": 0.9, "c": True}, "a stranger")
        with self.assertRaisesRegex(vn.InvalidArgumentError, "must be in"):
            study.propose({"x": 2, "c": 1}, "an agent")
        with self.assertRaisesRegex(vn.InvalidArgumentError, "a name of 1 to 64 bytes"):
            study.propose({"x": 0.5, "c": 1}, "")
        self.assertIn('1 point proposed by "an agent" waits', study.why())
        study.optimize(lambda trial: abs(trial.params["x"] - 0.3) + 0.1 * (
            trial.params["c"] is not None), n_trials=10)
        tried = [each.number for each in study.trials
                 if each.params == {"x": 0.3, "c": None}]
        self.assertEqual(len(tried), 1)
        self.assertIn('It was proposed by "an agent"', study.why(tried[0]))
        self.assertEqual(study.best_trial.number, tried[0])

    def test_a_proposal_has_defaults(self):
        study = vn.create_study({
            "x": vn.Float(0, 1, default=0.9), "y": vn.Float(0, 1),
            "c": vn.Categorical([True, None], default=True),
            "z": vn.Int(1, 4, default=2, when={"c": True}),
            "w": vn.Int(1, 4, default=2, when={"c": None})})
        study.propose({"y": 0.2}, "me")
        study.propose({"y": 0.3, "c": None}, "me")
        waiting = [each["parameters"] for each in study._calls.describe()["proposedPoints"]]
        self.assertEqual(waiting, [{"x": 0.9, "y": 0.2, "c": "True", "z": 2},
                                   {"x": 0.9, "y": 0.3, "c": "None", "w": 2}])
        with self.assertRaisesRegex(vn.InvalidArgumentError, '"y" is missing'):
            study.propose({"x": 0.2}, "me")

    def test_a_point_is_a_dict_of_finite_values(self):
        study = vn.create_study(X)
        for wrong in ([1], "x", 5, None):
            for call in (lambda: study.propose(wrong, "me"), lambda: study.enqueue_trial(wrong),
                         lambda: study.add_trial(wrong, 1.0)):
                with self.assertRaisesRegex(TypeError, "a point is a dict of values"):
                    call()
        for wrong in (math.nan, math.inf, object()):
            with self.assertRaisesRegex(ValueError, "x cannot be "):
                study.propose({"x": wrong}, "me")
        with self.assertRaisesRegex(TypeError, "source is a text"):
            study.propose({"x": 0.5}, 5)

    def test_a_number_that_json_does_not_have_is_named(self):
        nan = math.nan
        for how, message in (
                ({"beliefs": {"x": {"near": nan}}}, "near of 'x' cannot be nan"),
                ({"beliefs": {"x": {"near": 0.5, "within": nan}}}, "within of 'x' is a finite"),
                ({"constraints": [{"metric": "m", "max": nan}]}, "'m': max is a finite"),
                ({"metrics": {"a": "minimize", "b": "minimize"}, "references": {"a": nan}},
                 "the reference of 'a' is a finite"),
                ({"early_stopping": {"rule": "ASHA", "reduction_factor": nan}},
                 "reduction_factor is a finite")):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                vn.create_study(X, **how)
        with self.assertRaisesRegex(ValueError, "x: high - low must be a number"):
            vn.create_study({"x": vn.Float(-1e308, 1e308)})

    def test_what_is_no_dict_or_list_is_said(self):
        for how, message in (({"beliefs": "x"}, "beliefs is a dict"),
                             ({"references": "a"}, "references is a dict"),
                             ({"constraints": {"metric": "m", "max": 1}}, "is a list, such")):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                vn.create_study(X, **how)
        with self.assertRaisesRegex(TypeError, "prior_rename is a dict"):
            vn.create_study(X, prior_studies=["a"], prior_rename="a")
        for wrong in ("ab", [1]):
            with self.assertRaisesRegex(ValueError, "contours is a list of pairs"):
                vn.create_study(X).get_insights(contours=wrong)

    def test_a_belief_is_a_value_that_the_parameter_may_have(self):
        space = {"k": vn.Int(1, 8), "d": vn.Discrete([1, 2, 4])}
        for name, near in (("k", 4.5), ("d", 3)):
            with self.assertRaisesRegex(ValueError, f"near of '{name}' is a value"):
                vn.create_study(space, beliefs={name: {"near": near}})
        study = vn.create_study(space, beliefs={"k": {"near": 4.0}, "d": {"near": 4}})
        self.assertEqual(study.ask().params, {"k": 4, "d": 4})

    def test_a_trial_to_explain_has_a_number(self):
        study = vn.create_study(X)
        with self.assertRaisesRegex(TypeError, "number is a whole number: 'a'"):
            study.why("a")
        with self.assertRaisesRegex(ValueError, "a trial's number is 1 or more"):
            study.why(-1)
        self.assertIn(study.name, study.why())
        self.assertEqual(study.why(0), study.why())

    def test_a_metric_that_a_constraint_bounds_is_told(self):
        study = vn.create_study(X, metric="a", constraints=[{"metric": "m", "max": 0.5}])
        hint = r'"a": \.\.\., "m": \.\.\.'
        for value in (0.5, [0.5], {"a": 0.5}):
            with self.assertWarnsRegex(UserWarning, f"no value of the metric 'm'.*{hint}"):
                study.tell(study.ask(), value)
        with self.assertWarnsRegex(UserWarning, "no value of the metric 'm'"):
            study.add_trial({"x": 0.5}, 0.5)
        with self.assertWarnsRegex(UserWarning, "no value of the metric 'm'"):
            study.optimize(lambda trial: trial.params["x"], n_trials=8)
        study.optimize(lambda trial: {"a": trial.params["x"], "m": 0.1}, n_trials=2)
        self.assertEqual(study.best_trial.metrics["m"], 0.1)
        study.edit(rename_metrics={"m": "memory"})
        with self.assertWarnsRegex(UserWarning, "no value of the metric 'memory'"):
            study.tell(study.ask(), 1.0)

    def test_of_several_metrics_each_is_told(self):
        study = vn.create_study(X, metrics={"a": "minimize", "b": "maximize"})
        trial = study.ask()
        for value in (0.5, [0.5], {"a": 0.5}):
            with self.assertRaisesRegex(ValueError, r'told .*"a": \.\.\., "b": \.\.\.'):
                study.tell(trial, value)

    def test_a_metric_may_have_a_reference(self):
        metrics = {"a": "maximize", "b": {"goal": "minimize", "reference": 5}}
        study = vn.create_study(X, metrics=metrics, name="referred")
        self.assertEqual(study.metrics, {"a": "maximize", "b": "minimize"})
        study.tell(study.ask(), [1, 4])
        front = study._calls.describe()["front"]
        self.assertEqual(front["reference"]["b"], 5)
        vn.create_study(X, metrics=metrics, name="referred", load_if_exists=True)
        vn.create_study(X, metrics={"a": "maximize", "b": "minimize"}, references={"b": 5},
                        name="referred", load_if_exists=True)
        with self.assertRaisesRegex(vn.FailedPreconditionError, "other references"):
            vn.create_study(X, metrics={"a": "maximize", "b": "minimize"}, name="referred",
                            load_if_exists=True)
        with self.assertRaisesRegex(ValueError, "'b' has two references: 5, 6"):
            vn.create_study(X, metrics=metrics, references={"b": 6})
        for wrong in ({"reference": 5}, {"goal": "minimize", "worst": 5}):
            with self.assertRaisesRegex(ValueError, 'a metric is its goal, or {"goal"'):
                vn.create_study(X, metrics={"b": wrong})

    def test_one_metric_or_several(self):
        several = {"loss": "minimize"}
        with self.assertRaisesRegex(ValueError, "give goal and metric, or metrics"):
            vn.create_study(X, goal="maximize", metrics=several)
        with self.assertWarnsRegex(FutureWarning, "metric='acc' is ignored"):
            study = vn.create_study(X, metric="acc", metrics=several)
        self.assertEqual(study.metrics, several)
        with self.assertWarnsRegex(FutureWarning, "metric='acc' is the name of one"):
            study = vn.create_study(X, metric="acc", directions=["minimize", "maximize"])
        self.assertEqual(list(study.metrics), ["value_0", "value_1"])
        study = vn.create_study(X, metric="acc", directions=["maximize"])
        self.assertEqual(study.metrics, {"acc": "maximize"})

    def test_a_job_is_no_study(self):
        vn.submit({"trainingInput": {}, "vernier": {"command": ["/bin/true"]}}, name="front")
        vn.create_study(X, name="asked")
        for call in (vn.load_study, vn.delete_study):
            with self.assertRaisesRegex(vn.NotFoundError, r"'front' is a job.*vn.load_job"):
                call("front")
            with self.assertRaisesRegex(vn.NotFoundError, "no study 'none': vn.list_studies"):
                call("none")
        with self.assertRaisesRegex(vn.NotFoundError, r"'asked' is a study.*vn.load_study"):
            vn.load_job("asked")
        with self.assertRaisesRegex(vn.NotFoundError, 'no job "none": vn.list_studies'):
            vn.load_job("none")
        with self.assertRaisesRegex(TypeError, "trial is a whole number"):
            vn.load_job("front").logs("a")
        with self.assertRaisesRegex(TypeError, "max_trials is a whole number"):
            vn.load_job("front").extend(2.5)

    def test_the_mean_of_the_best_point(self):
        study = vn.create_study(X, repeats=2, seed=1)
        values = iter([1.0, 3.0] * 4)
        study.optimize(lambda trial: trial.params["x"] * 0 + next(values), n_trials=2)
        self.assertEqual((study.best_value, study.best_mean), (1.0, 2.0))
        single = vn.create_study(X)
        single.tell(single.ask(), 3.0)
        self.assertEqual(single.best_mean, 3.0)

    def test_a_missing_value_may_be_a_choice(self):
        study = vn.create_study({"c": vn.Categorical([math.nan, 0.0])})
        study.enqueue_trial({"c": math.nan})
        self.assertTrue(math.isnan(study.ask().params["c"]))

    def test_other_objects_as_choices_are_explained(self):
        with self.assertRaisesRegex(ValueError, "give anything else a name"):
            vn.create_study({"sizes": vn.Categorical([(64, 64), (128,)])})

    def test_many_choices_are_refused_at_once(self):
        begin = time.monotonic()
        with self.assertRaisesRegex(ValueError, "1 to 1000 values"):
            vn.create_study({"c": vn.Categorical(range(20000))})
        self.assertLess(time.monotonic() - begin, 1)

    def test_an_empty_name_is_none(self):
        with self.assertRaisesRegex(ValueError, "a study's name is a text"):
            vn.create_study(X, name="")

    def test_a_seed_is_a_whole_number(self):
        for seed in ("abc", 1.5):
            with self.assertRaisesRegex(TypeError, "seed is a whole number"):
                vn.create_study(X, seed=seed)
        for seed in (-1, 2 ** 64):
            with self.assertRaisesRegex(ValueError, "seed must be from 0"):
                vn.create_study(X, seed=seed)

    def test_a_metrics_name_is_a_text(self):
        for how in ({"metric": 5}, {"metric": ""}, {"metrics": {None: "minimize"}}):
            with self.assertRaisesRegex(ValueError, "a metric's name is a text"):
                vn.create_study(X, **how)

    def test_a_result_from_elsewhere_may_be_none(self):
        study = vn.create_study(X)
        study.add_trial({"x": 0.5}, math.nan)
        study.add_trial({"x": 0.6}, math.inf)
        self.assertEqual([each.value for each in study.trials], [None, None])

    def test_a_number_may_be_too_large(self):
        study = vn.create_study(X)
        with self.assertRaisesRegex(ValueError, "'value' is no number"):
            study.optimize(lambda trial: 10 ** 400, 1)

    def test_the_place_of_a_fault_in_a_filter_is_that_of_the_user(self):
        with self.assertRaisesRegex(ValueError, "filter, character 3: expected a value"):
            vn.create_study(X).get_trials("x<")

    def test_a_wrong_endpoint_is_an_error_within_seconds(self):
        begin = time.monotonic()
        with mock.patch.object(_transport, "FIRST_PATIENCE_SECONDS", 0.1):
            with self.assertRaisesRegex(ConnectionError, "leave out endpoint="):
                vn.create_study(X, endpoint="unix:/nowhere/vernier.sock")
        self.assertLess(time.monotonic() - begin, 15)

    def test_a_timeout_is_a_number(self):
        study = vn.create_study(X)
        for timeout in ("5", datetime.timedelta(seconds=5)):
            with self.assertRaisesRegex(TypeError, "timeout is a number of seconds"):
                study.optimize(lambda trial: 1.0, timeout=timeout)
        with self.assertRaisesRegex(ValueError, "timeout is a number"):
            study.optimize(lambda trial: 1.0, 1, timeout=math.nan)

    def test_callbacks_are_a_list_of_functions(self):
        study = vn.create_study(X)
        for callbacks in (print, [5], None):
            with self.assertRaisesRegex(TypeError, "callbacks is a list of functions"):
                study.optimize(lambda trial: 1.0, 1, callbacks=callbacks)
        self.assertEqual(study.trials, [])

    def test_storage_is_a_folder(self):
        home = os.path.expanduser("~")
        self.assertEqual(location_of(storage="~/studies").data_dir,
                         os.path.join(home, "studies"))
        self.assertEqual(location_of(storage=pathlib.Path("/a/b")).data_dir, "/a/b")
        with self.assertRaisesRegex(ValueError, "storage is a folder"):
            vn.create_study(X, storage="sqlite:///digits.db")

    def test_a_notebook_shows_a_few_trials_also_after_many_were_removed(self):
        study = vn.create_study(X)
        for _ in range(20):
            study.abandon(study.ask())
        for value in range(20):
            study.tell(study.ask(), value)
        page = study._repr_html_()
        self.assertEqual(page.count("<tr>"), 11)  # Two heads, the best one, eight new ones.
        self.assertIn("<td>40</td>", page)


if __name__ == "__main__":
    unittest.main()
