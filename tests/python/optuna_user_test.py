"""The first day of somebody who knows Optuna: its words, its habits, its ways back."""

import copy
import enum
import logging
import unittest
import warnings

from package import ServiceCase, python
import vernier_hpo as vn
from vernier_hpo import TrialState

X = {"x": vn.Float(0, 1)}


class StudyDirection(enum.Enum):
    """As Optuna has it."""

    MINIMIZE = 1
    MAXIMIZE = 2


class KeywordsTest(ServiceCase):
    def test_optunas_words_for_the_same_thing_work(self):
        study = vn.create_study(X, direction="maximize", study_name="worded")
        self.assertEqual((study.name, study.goal), ("worded", "maximize"))
        self.assertEqual((study.study_name, study.direction, study.directions),
                         ("worded", "maximize", ["maximize"]))
        self.assertEqual(vn.load_study(study_name="worded").full_name, study.full_name)
        vn.delete_study(study_name="worded")
        with self.assertRaises(vn.NotFoundError):
            vn.load_study("worded")
        several = vn.create_study(X, directions=["minimize", StudyDirection.MAXIMIZE])
        self.assertEqual(several.metrics, {"value_0": "minimize", "value_1": "maximize"})
        self.assertEqual(vn.create_study(X, directions=["maximize"]).goal, "maximize")
        self.assertEqual(
            vn.create_study(X, direction=StudyDirection.MAXIMIZE).goal, "maximize")

    def test_two_words_for_one_thing_agree(self):
        with self.assertRaisesRegex(ValueError, "goal and direction are two words"):
            vn.create_study(X, goal="minimize", direction="maximize")
        with self.assertRaisesRegex(ValueError, "name and study_name are two words"):
            vn.create_study(X, name="a", study_name="b")
        with self.assertRaisesRegex(ValueError, "directions is a list of goals: 'minimize'"):
            vn.create_study(X, directions="minimize")

    def test_what_has_another_form_is_named(self):
        def objective(trial):
            return 1.0

        study = vn.create_study(X)
        for call, hint in (
                (lambda: vn.create_study(), "the space comes first"),
                (lambda: vn.create_study(X, sampler=None), "algorithm= chooses"),
                (lambda: vn.create_study(X, pruner=None), "early_stopping= names"),
                (lambda: vn.load_study("a", sampler=None), "keeps the algorithm"),
                (lambda: vn.Float(0, 1, step=0.1), r"Float: .*vn.stepped\("),
                (lambda: vn.Int(1, 9, step=2), r"Int: .*vn.stepped\("),
                (lambda: study.optimize(objective, 1, gc_after_trial=True), "leave it out"),
                (lambda: vn.run(objective, X, 1, direction="minimize"), "goal= is"),
                (lambda: vn.run(objective, X, 1, timeout=5), r"job.wait\(timeout\)")):
            with self.assertRaisesRegex(TypeError, hint):
                call()
        with self.assertRaisesRegex(ValueError, "storage is a folder"):
            vn.create_study(X, storage="sqlite:///x.db")

    def test_several_metrics_have_no_single_best(self):
        study = vn.create_study(X, directions=["minimize", "minimize"])
        study.tell(study.ask(), [1.0, 2.0])
        for read in (lambda: study.best_trial, lambda: study.best_value,
                     lambda: study.best_params):
            with self.assertRaisesRegex(vn.FailedPreconditionError, "best_trials"):
                read()
        self.assertEqual([each.values for each in study.best_trials], [[1.0, 2.0]])

    def test_trials_by_state(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number == 2:
                raise ValueError("no")
            return 1.0

        study.optimize(objective, n_trials=3, catch=ValueError)
        self.assertEqual([each.number for each in study.get_trials(
            deepcopy=False, states=(TrialState.COMPLETE,))], [1, 3])
        self.assertEqual([each.number for each in study.get_trials(
            states=[TrialState.FAIL])], [2])

    def test_a_point_is_enqueued_once(self):
        study = vn.create_study(X)
        first = study.enqueue_trial({"x": 0.25}, user_attrs={"from": "me"})
        self.assertEqual(study.enqueue_trial({"x": 0.25}, skip_if_exists=True), first)
        self.assertNotEqual(study.enqueue_trial({"x": 0.25}), first)
        self.assertEqual(study.get_trial(first).user_attrs, {"from": "me"})

    def test_a_trial_that_has_ended_may_be_skipped(self):
        study = vn.create_study(X)
        trial = study.ask()
        study.tell(trial, 1.0)
        study.tell(trial, 2.0, skip_if_finished=True)
        self.assertEqual(study.get_trial(1).value, 1.0)
        with self.assertRaises(vn.FailedPreconditionError):
            study.tell(trial, 2.0)

    def test_trials_move_from_study_to_study(self):
        one = vn.create_study(X)
        one.optimize(lambda trial: trial.set_user_attr("fold", trial.number) or
                     trial.params["x"], n_trials=2)
        two = vn.create_study(X)
        for trial in one.trials:
            two.add_trial(trial)
        self.assertEqual([(each.params, each.value, each.user_attrs) for each in two.trials],
                         [(each.params, each.value, each.user_attrs) for each in one.trials])


class ComingBackTest(ServiceCase):
    def again(self, **how):
        return vn.create_study(X, name=how.pop("name"), load_if_exists=True, **how)

    def test_other_settings_are_said(self):
        vn.create_study(X, name="kept", algorithm="random", seed=3,
                        early_stopping="MEDIAN")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.again(name="kept")
            self.again(name="kept", algorithm="random", seed=3, early_stopping="MEDIAN")
        for how, message in (
                ({"algorithm": "default"}, "algorithm='random', and not 'default'"),
                ({"seed": 4}, "seed=3, and not 4"),
                ({"early_stopping": "ASHA"}, "early_stopping='MEDIAN', and not 'ASHA'"),
                ({"per_cost": True}, "per_cost=False, and not True")):
            with self.subTest(how), self.assertWarnsRegex(
                    vn.IgnoredArgumentWarning, message):
                self.again(name="kept", **how)

    def test_no_early_stopping_applies(self):
        made = vn.create_study(X, name="stopping")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            study = self.again(name="stopping", early_stopping=False)
        self.assertEqual((made._early_stopping, study._early_stopping), (True, False))

    def test_the_order_of_a_space_says_nothing(self):
        space = {"opt": vn.Categorical(["sgd", "adam", True]),
                 "lr": vn.Float(1e-5, 1, log=True),
                 "momentum": vn.Float(0, 1, when={"opt": ["sgd", "adam"]}),
                 "k": vn.Int(1, 4)}
        study = vn.create_study(space, name="ordered")
        other = {"k": vn.Int(1, 4), "lr": vn.Float(1e-5, 1, log=True),
                 "momentum": vn.Float(0, 1, when={"opt": ["adam", "sgd"]}),
                 "opt": vn.Categorical([True, "adam", "sgd"])}
        again = vn.create_study(other, name="ordered", load_if_exists=True)
        self.assertEqual(list(again.space), list(study.space))
        study.enqueue_trial({"opt": True, "lr": 0.1, "k": 2})
        self.assertIs(again.ask().params["opt"], True)

    def test_a_difference_of_spaces_is_named(self):
        vn.create_study({"lr": vn.Float(0, 1), "k": vn.Int(1, 4)}, name="named")
        other = {"lr": vn.Float(0, 2), "depth": vn.Int(1, 4)}
        with self.assertRaises(vn.FailedPreconditionError) as caught:
            vn.create_study(other, name="named", load_if_exists=True)
        message = str(caught.exception)
        for part in ("the study named has another search space",
                     "'lr' is Float(0, 1) there, and Float(0, 2) here",
                     "it has 'k', which is not given", "it has no 'depth'"):
            self.assertIn(part, message)

    def test_choices_that_differ_are_shown_apart(self):
        vn.create_study({"c": vn.Categorical([1, 2])}, name="whole")
        with self.assertRaisesRegex(vn.FailedPreconditionError,
                                    r"\[1, 2\]\) there, and Categorical\(\[1.0, 2\]\) here"):
            vn.create_study({"c": vn.Categorical([1.0, 2])}, name="whole", load_if_exists=True)

    def test_a_closed_study_is_done_until_it_is_used(self):
        study = vn.create_study(X, name="closed")
        trial = study.ask()
        study.close()
        state = {each.name: each.state for each in vn.list_studies()}
        self.assertEqual(state["closed"], "completed")
        study.tell(trial, 1.0)
        self.assertEqual(study.best_value, 1.0)
        study.close()
        vn.load_study("closed").optimize(lambda trial: 0.5, n_trials=2)
        self.assertEqual(study.best_value, 0.5)
        self.assertEqual(len(study.trials), 3)


class AttributesTest(ServiceCase):
    def test_attributes_outlive_the_program(self):
        python("""
            import vernier_hpo as vn
            study = vn.create_study({"x": vn.Float(0, 1)}, name="attributed")
            study.set_user_attr("dataset", {"name": "digits", "rows": [1, 2]})
            def objective(trial):
                trial.set_user_attr("fold", 3)
                trial.set_user_attr("fold", trial.user_attrs["fold"] + 1)
                return 1.0
            study.optimize(objective, n_trials=1)
            """.replace("\n            ", "\n"),
            env={"VERNIER_ENDPOINT": self.service.endpoint})
        study = vn.load_study("attributed")
        self.assertEqual(study.user_attrs, {"dataset": {"name": "digits", "rows": [1, 2]}})
        self.assertEqual(study.trials[0].user_attrs, {"fold": 4})
        study.close()
        study.set_user_attr("done", True)  # In any state.
        self.assertEqual(study.user_attrs["done"], True)

    def test_what_json_cannot_say_is_named(self):
        study = vn.create_study(X)
        for value in (object(), {1, 2}, float("nan")):
            with self.assertRaisesRegex(TypeError, "the attribute 'a' is nothing"):
                study.set_user_attr("a", value)
        with self.assertRaisesRegex(TypeError, "an attribute's name is a text: 5"):
            study.set_user_attr(5, 1)
        with self.assertRaisesRegex(ValueError, "keep what is larger in a file"):
            study.set_user_attr("a", "x" * (64 << 10))
        self.assertEqual(study.user_attrs, {})

    def test_a_note(self):
        study = vn.create_study(X)
        self.assertEqual(study.note, "")
        study.note = "a baseline"
        self.assertEqual(vn.load_study(study.name).note, "a baseline")

    def test_metrics_beside_the_studys_are_kept(self):
        study = vn.create_study(X, metric="loss")
        study.optimize(lambda trial: {"loss": 0.5, "accuracy": 0.9}, n_trials=1)
        trial = study.trials[0]
        self.assertEqual((trial.value, trial.values), (0.5, [0.5]))
        self.assertEqual(trial.metrics, {"loss": 0.5, "accuracy": 0.9})
        with self.assertRaisesRegex(ValueError, "no value of the metric 'loss'"):
            study.tell(study.ask(), {"los": 0.5})


class ScriptsTest(ServiceCase):
    """What scripts that were written for Optuna do, besides the words."""

    def test_a_value_that_is_no_number_is_warned_of(self):
        study = vn.create_study(X)
        values = iter([float("nan"), 0.5])
        with self.assertLogs("vernier_hpo", "WARNING") as logs:
            study.optimize(lambda trial: next(values), n_trials=2)
        self.assertEqual(logs.output,
                         ["WARNING:vernier_hpo:trial 1 is infeasible: its value is nan"])
        self.assertEqual([each.value for each in study.trials], [None, 0.5])
        several = vn.create_study(X, directions=["minimize", "minimize"])
        with self.assertLogs("vernier_hpo", "WARNING") as logs:
            several.optimize(lambda trial: (1.0, float("inf")), n_trials=1)
        self.assertIn("its value is (1.0, inf)", logs.output[0])

    def test_a_callback_ends_at_a_number_of_trials_of_all_programs(self):
        study = vn.create_study(X, name="counted")
        at_most = vn.MaxTrialsCallback(3)
        study.optimize(lambda trial: 1.0, n_trials=2)
        study.optimize(lambda trial: 1.0, callbacks=[at_most], timeout=60)
        self.assertEqual(len(study.trials), 3)
        study.optimize(lambda trial: 1.0, n_trials=9,
                       callbacks=[vn.MaxTrialsCallback(5, states=None)])
        self.assertEqual(len(study.trials), 5)

    def test_what_a_trial_has_not_is_named(self):
        study = vn.create_study(X)
        with self.assertRaisesRegex(TypeError, "ask: .*the space is the study's"):
            study.ask({"x": 0.5})
        with self.assertRaisesRegex(TypeError, "ask: .*the space is the study's"):
            study.ask(fixed_distributions={})
        trial = study.ask()
        trial.report(0.5, 3)
        study.tell(trial, 0.5)
        frozen = study.trials[0]
        self.assertEqual(frozen.last_step, 3)
        with self.assertRaisesRegex(AttributeError, "the space is given to create_study"):
            frozen.suggest_float("x", 0, 1)
        with self.assertRaisesRegex(AttributeError, "distributions: study.space"):
            frozen.distributions
        self.assertEqual(copy.deepcopy(frozen), frozen)
        with self.assertRaisesRegex(AttributeError, r"create_trial: study.add_trial\("):
            vn.create_trial

    def test_a_study_that_is_not_there_is_named_as_it_was_given(self):
        with self.assertRaisesRegex(vn.NotFoundError,
                                    r"^there is no study 'nope': vn.list_studies\(\)"):
            vn.load_study("nope")

    def test_a_trial_that_is_pruned_before_it_reports_has_nothing_to_teach(self):
        study = vn.create_study(X)

        def objective(trial):
            if trial.number == 1:
                trial.report(0.5, 1)
            raise vn.TrialPruned()

        study.optimize(objective, n_trials=2)
        self.assertEqual([each.state for each in study.trials],
                         [TrialState.STOPPED, TrialState.INFEASIBLE])
        self.assertIn("before it reported", study.trials[1].message)


class SeenTest(ServiceCase):
    def test_each_trial_is_a_line_of_the_log(self):
        study = vn.create_study(X, name="logged")
        with self.assertLogs("vernier_hpo", "INFO") as logs:
            study.optimize(lambda trial: 1.0 / trial.number, n_trials=2)
        self.assertRegex(logs.output[1], r"^INFO:vernier_hpo:logged: trial 2  completed  "
                                         r"value 0.5  x=\d\S*; best so far: 0.5 of trial 2$")
        logging.getLogger("vernier_hpo").setLevel(logging.NOTSET)

    def test_a_trial_is_printed_as_a_line(self):
        study = vn.create_study({**X, "opt": vn.Categorical(["a b"])}, name="shown")
        study.enqueue_trial({"x": 1 / 3, "opt": "a b"})
        trial = study.ask()
        self.assertEqual(str(trial), "trial 1 of shown  x=0.333333 opt=a b")
        study.tell(trial, 2.0)
        self.assertEqual(str(study.best_trial),
                         "trial 1  completed  value 2  x=0.333333 opt=a b")
        self.assertNotIn("datetime", repr(study.best_trial))

    def test_the_traceback_of_a_failure_is_kept(self):
        study = vn.create_study(X)

        def objective(trial):
            return inner(trial.params["x"])

        def inner(x):
            raise ZeroDivisionError("by hand")

        with self.assertLogs("vernier_hpo", "WARNING") as logs:
            study.optimize(objective, n_trials=1, catch=ZeroDivisionError)
        trial = study.trials[0]
        self.assertEqual(trial.message.splitlines()[0], "ZeroDivisionError: by hand")
        for text in (trial.message, study.why(1), logs.output[0]):
            self.assertIn("in inner", text)
            self.assertIn('raise ZeroDivisionError("by hand")', text)
        self.assertNotIn("_optimize.py", trial.message)

    def test_importances_are_the_services(self):
        space = {"x": vn.Float(0, 1), "y": vn.Float(0, 1)}
        study = vn.create_study(space, seed=1, algorithm="random")
        with self.assertRaisesRegex(vn.FailedPreconditionError, "no insights yet"):
            study.get_param_importances()
        study.optimize(lambda trial: 10 * trial.params["x"] + trial.params["y"], n_trials=30)
        shares = study.get_param_importances()
        self.assertEqual(list(shares), ["x", "y"])
        self.assertGreater(shares["x"], 0.8)
        self.assertLess(shares["y"], 0.2)


if __name__ == "__main__":
    unittest.main()
