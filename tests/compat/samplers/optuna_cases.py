"""What VernierSampler does in studies of Optuna, for each release that is supported."""

import concurrent.futures
import copy
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import unittest

import optuna
from optuna.distributions import (CategoricalDistribution, FloatDistribution,
                                  IntDistribution)

from vernier_hpo.integration.optuna import VernierSampler

optuna.logging.set_verbosity(optuna.logging.ERROR)
IS_5 = optuna.__version__.startswith("5")
CHOICES = [None, True, "a", 1.5, False]


def mixed(trial):
    """Smallest, 0, at x = 1, y = 6, and True."""
    x = trial.suggest_float("x", -5, 5)
    y = trial.suggest_int("y", 0, 20, step=2)
    rate = trial.suggest_float("rate", 1e-5, 1, log=True)
    kind = trial.suggest_categorical("kind", CHOICES)
    part = trial.suggest_float("part", 0, 1, step=0.25)
    return (x - 1) ** 2 + abs(y - 6) + 10 * rate + part + (kind is not True)


def tree(trial):
    """Two levels of branches, of which each has settings of its own; from 0 on."""
    rate = trial.suggest_float("rate", 0, 1)
    if trial.suggest_categorical("model", ["forest", "svm"]) == "forest":
        return 0.3 + abs(trial.suggest_int("depth", 1, 9) - 4) + rate
    if trial.suggest_categorical("kernel", [None, "rbf"]) is None:
        return 0.2 + rate
    gamma = trial.suggest_float("gamma", 0, 1)
    return (rate - 0.3) ** 2 + (gamma - 0.6) ** 2 + abs(rate - gamma + 0.3)


class Noting(optuna.samplers.RandomSampler):
    """Notes which parameters were sampled one by one, as pairs of trial and name."""

    def __init__(self):
        super().__init__(seed=0)
        self.noted = []

    def sample_independent(self, study, trial, param_name, param_distribution):
        self.noted.append((trial.number, param_name))
        return super().sample_independent(study, trial, param_name, param_distribution)


class FirstOfRange(optuna.samplers.RandomSampler):
    """Samples the first value of each range, whatever it sampled before."""

    def sample_independent(self, study, trial, param_name, param_distribution):
        return param_distribution.to_external_repr(getattr(param_distribution, "low", 0))


def study_of(seed=1, **kwargs):
    return optuna.create_study(sampler=VernierSampler(seed=seed), **kwargs)


def params(study):
    return [each.params for each in study.trials]


# A worker in a process of its own.
WORKER = """
import os, sys, optuna
sys.path.insert(0, sys.argv[1])
import optuna_cases
study = optuna.load_study(study_name="shared", storage=sys.argv[2],
                          sampler=optuna_cases.VernierSampler())
study.optimize(optuna_cases.mixed, n_trials=10)
"""


class OptunaTest(unittest.TestCase):
    def test_it_finds_the_best_of_a_mixed_space(self):
        study = study_of()
        study.optimize(mixed, n_trials=50)
        self.assertLess(study.best_value, 1)
        self.assertIs(study.best_params["kind"], True)
        self.assertEqual(study.best_params["y"], 6)

    def test_each_value_is_one_of_its_distribution(self):
        spaces = {"a": FloatDistribution(-1e-3, 1e3), "b": FloatDistribution(1e-9, 1, log=True),
                  "c": FloatDistribution(-0.3, 0.3, step=0.1), "d": IntDistribution(-7, 5, step=3),
                  "e": IntDistribution(1, 10 ** 6, log=True), "f": IntDistribution(0, 2 ** 60),
                  "g": CategoricalDistribution(CHOICES), "h": IntDistribution(4, 4),
                  "i": CategoricalDistribution((float("nan"), "nan"))}
        study = study_of()
        for _ in range(8):
            trial = study.ask(spaces)
            study.tell(trial, trial.params["a"])
            for name, each in spaces.items():
                value = trial.params[name]
                self.assertTrue(each._contains(each.to_internal_repr(value)), (name, value))
                self.assertIn(type(value), [type(choice) for choice in each.choices]
                              if name in "gi" else [int if name in "defh" else float])

    def test_one_seed_gives_one_run(self):
        first, second, other = study_of(3), study_of(3), study_of(4)
        for study in (first, second, other):
            study.optimize(mixed, n_trials=12)
        self.assertEqual(params(first), params(second))
        self.assertNotEqual(params(first), params(other))

    def test_a_study_goes_on_after_a_restart_as_if_there_had_been_none(self):
        with tempfile.TemporaryDirectory() as folder:
            storage = f"sqlite:///{folder}/studies.db"
            whole = study_of(3)
            whole.optimize(mixed, n_trials=14)
            study_of(3, storage=storage, study_name="s").optimize(mixed, n_trials=9)
            study = optuna.load_study(study_name="s", storage=storage,
                                      sampler=VernierSampler(seed=3))
            study.optimize(mixed, n_trials=5)
            self.assertEqual(params(study), params(whole))

    def test_copies_go_on_alike(self):
        study = study_of(3)
        study.optimize(mixed, n_trials=6)
        points = []
        for sampler in (study.sampler, copy.deepcopy(study.sampler),
                        pickle.loads(pickle.dumps(study.sampler))):
            other = optuna.create_study(sampler=sampler)
            other.add_trials(study.trials)
            points.append(other.ask(study.trials[0].distributions).params)
        self.assertEqual(points[0], points[1])
        self.assertEqual(points[0], points[2])

    def test_an_engine_that_was_killed_is_started_again(self):
        study, whole = study_of(3), study_of(3)
        whole.optimize(mixed, n_trials=10)
        study.optimize(mixed, n_trials=6)
        for suggester in study.sampler._suggesters.values():
            suggester._engine._process.kill()
            suggester._engine._process.wait()
        with self.assertLogs("vernier_hpo", "WARNING"):
            study.optimize(mixed, n_trials=4)
        self.assertEqual(params(study), params(whole))

    def test_maximizing(self):
        study = study_of(direction="maximize")
        study.optimize(lambda trial: -(trial.suggest_float("x", 0, 1) - 0.7) ** 2, n_trials=20)
        self.assertAlmostEqual(study.best_params["x"], 0.7, delta=0.02)

    def test_it_keeps_away_from_where_trials_failed(self):
        def fails_above(trial):
            x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
            if x > 0.5:
                raise ValueError("no memory")
            return -x + (y - 0.5) ** 2

        study = study_of()
        study.optimize(fails_above, n_trials=30, catch=ValueError)
        late = [each.params["x"] for each in study.trials[15:]]
        # Whoever passes over failures asks for one such place all the time.
        self.assertGreater(sum(x < 0.53 for x in late), 6, late)
        self.assertGreater(study.best_params["x"], 0.4)

    def test_pruned_trials_count_with_their_last_value(self):
        def pruned_early(trial):
            x = trial.suggest_float("x", 0, 1)
            trial.report((x - 0.3) ** 2, 1)
            if trial.number > 0:
                raise optuna.TrialPruned()
            return (x - 0.3) ** 2

        study = study_of()
        study.optimize(pruned_early, n_trials=16)
        late = [each.params["x"] for each in study.trials[10:]]
        self.assertGreater(sum(abs(x - 0.3) < 0.05 for x in late), 2, late)

    def test_constraints_that_a_function_computes(self):
        def objective(trial):
            return -trial.suggest_float("x", 0, 1) - trial.suggest_float("y", 0, 1)

        sampler = VernierSampler(
            seed=1, constraints_func=lambda trial: [sum(trial.params.values()) - 1])
        study = optuna.create_study(sampler=sampler)
        study.optimize(objective, n_trials=30)
        sums = [sum(each.params.values()) for each in study.trials]
        self.assertGreater(max(each for each in sums if each <= 1), 0.95)
        self.assertGreater(sum(each <= 1.02 for each in sums[15:]), 7, sums)

    @unittest.skipUnless(IS_5, "trials set constraints from Optuna 5 on")
    def test_constraints_that_trials_set(self):
        def objective(trial):
            x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
            trial.set_constraint("memory", x + y - 1)
            return -x - y

        study = study_of()
        study.optimize(objective, n_trials=30)
        sums = [sum(each.params.values()) for each in study.trials]
        self.assertGreater(max(each for each in sums if each <= 1), 0.95)

    def test_the_front_of_two_objectives(self):
        def objective(trial):
            x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
            return x ** 2 + y, -(x - 1) ** 2 - y

        study = study_of(directions=["minimize", "maximize"])
        study.optimize(objective, n_trials=25)
        self.assertGreater(len(study.best_trials), 6)
        self.assertLess(min(each.params["y"] for each in study.best_trials), 0.01)

    def test_branches_of_an_objective_and_ranges_that_change(self):
        def objective(trial):
            x = trial.suggest_float("x", 0, 1 + trial.number % 3)
            if trial.suggest_categorical("kind", ["sgd", "adam"]) == "sgd":
                return x + trial.suggest_float("momentum", 0, 1)
            return x + trial.suggest_int("steps", 1, 9)

        study = study_of()
        study.optimize(objective, n_trials=15)
        self.assertEqual(len(study.trials), 15)

    def test_branches_are_searched_together_with_what_is_above_them(self):
        independent = Noting()
        study = optuna.create_study(sampler=VernierSampler(
            seed=1, independent_sampler=independent))
        study.optimize(tree, n_trials=40)
        self.assertLess(study.best_value, 0.03)
        # Once each; a condition that few trials show may turn out to be another one.
        self.assertLess(len([each for each in independent.noted if each[0] > 0]), 9)
        self.assertEqual([each for each in independent.noted if each[0] > 20], [])
        self.assertGreater(sum("gamma" in each for each in params(study)[20:]), 10)

    def test_a_study_with_branches_goes_on_after_a_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            storage = f"sqlite:///{folder}/studies.db"

            def sampler():
                return VernierSampler(seed=3, independent_sampler=FirstOfRange())

            whole = optuna.create_study(sampler=sampler())
            whole.optimize(tree, n_trials=20)
            optuna.create_study(storage=storage, study_name="s", sampler=sampler()).optimize(
                tree, n_trials=12)
            study = optuna.load_study(study_name="s", storage=storage, sampler=sampler())
            study.optimize(tree, n_trials=8)
            self.assertEqual(params(study), params(whole))

    def test_threads_share_the_branches(self):
        study = study_of()
        study.optimize(tree, n_trials=24, n_jobs=4)
        self.assertEqual([each.state for each in study.trials],
                         [optuna.trial.TrialState.COMPLETE] * 24)
        free = [tuple(each.items()) for each in params(study) if "gamma" in each]
        self.assertEqual(len(set(free)), len(free))

    def test_branches_with_failures_prunings_and_constraints(self):
        def objective(trial):
            value = tree(trial)
            trial.report(value, 1)
            if "depth" in trial.params:
                raise optuna.TrialPruned()
            if trial.params["rate"] > 0.9:
                raise ValueError("no memory")
            return value

        independent = Noting()
        study = optuna.create_study(sampler=VernierSampler(
            seed=1, independent_sampler=independent,
            constraints_func=lambda trial: [trial.params["rate"] - 0.2]))
        study.optimize(objective, n_trials=40, catch=ValueError)
        best = min(each.value for each in study.trials if each.value is not None
                   and each.params["rate"] <= 0.2)
        self.assertLess(best, 0.15)
        self.assertEqual([each for each in independent.noted if each[0] > 25], [])

    def test_two_objectives_with_branches(self):
        independent = Noting()
        study = optuna.create_study(
            directions=["minimize", "minimize"],
            sampler=VernierSampler(seed=1, independent_sampler=independent))
        study.optimize(lambda trial: (tree(trial), trial.params["rate"]), n_trials=20)
        self.assertEqual([each for each in independent.noted if each[0] > 15], [])

    def test_what_no_other_parameter_explains_is_sampled_alone(self):
        def objective(trial):
            x = trial.suggest_float("x", 0, 1)
            kind = trial.suggest_categorical("kind", ["a", "b"])
            if trial.number % 2 == 0:
                x += trial.suggest_float("extra", 0, 1)
            return x + (kind == "a")

        independent = Noting()
        study = optuna.create_study(sampler=VernierSampler(
            seed=1, independent_sampler=independent))
        study.optimize(objective, n_trials=20)
        self.assertEqual({name for number, name in independent.noted if number > 12},
                         {"extra"})

    def test_trials_with_other_choices_do_no_harm(self):
        study = optuna.create_study(sampler=VernierSampler(  # TPE fails here.
            seed=1, independent_sampler=Noting()))
        study.optimize(tree, n_trials=6)
        for model in (CategoricalDistribution(["svm", "tree"]), IntDistribution(0, 5)):
            study.add_trial(optuna.trial.create_trial(
                params={"model": model.to_external_repr(1), "gamma": 0.5}, value=1.0,
                distributions={"model": model, "gamma": FloatDistribution(0, 1)}))
        study.optimize(tree, n_trials=4)
        self.assertEqual(len(study.trials), 12)

    def test_branches_of_which_a_part_is_fixed(self):
        study = study_of()
        study.optimize(tree, n_trials=12)
        study.sampler = optuna.samplers.PartialFixedSampler({"model": "svm"}, study.sampler)
        study.optimize(tree, n_trials=6)
        self.assertEqual({each["model"] for each in params(study)[12:]}, {"svm"})

    def test_earlier_studies_with_branches_are_learnt_from(self):
        best = []
        for seed in range(1, 6):
            earlier = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=seed))
            earlier.optimize(tree, n_trials=80)
            study = optuna.create_study(sampler=VernierSampler(seed=seed,
                                                               prior_studies=[earlier]))
            study.optimize(tree, n_trials=25)
            best.append(study.best_value)
        # Without the earlier studies it is 0.04, and their own best are 0.09.
        self.assertLess(statistics.median(best), 0.02)

    def test_a_finite_space_is_tried_before_anything_is_repeated(self):
        study = study_of()
        study.optimize(lambda trial: trial.suggest_int("x", 0, 2)
                       + trial.suggest_categorical("c", [0, 1]), n_trials=10)
        self.assertEqual(len({tuple(each.items()) for each in params(study)[:6]}), 6)

    def test_enqueued_points_are_run_and_learnt_from(self):
        study = study_of()
        study.optimize(mixed, n_trials=3)
        study.enqueue_trial({"x": 1.0, "y": 6, "rate": 1e-5, "kind": True, "part": 0.0})
        study.optimize(mixed, n_trials=10)
        self.assertLess(study.trials[3].value, 1e-3)
        near = [each for each in study.trials[4:] if each.params["kind"] is True
                and abs(each.params["x"] - 1) < 1]
        self.assertGreaterEqual(len(near), 2)

    def test_earlier_studies_are_learnt_from(self):
        def shifted(by, sign=1):
            def objective(trial):
                x = trial.suggest_float("x", -5 - by, 5 - by)  # Ranges differ.
                y = trial.suggest_int("y", 0, 20, step=2)
                if by == 1 and trial.number % 7 == 0:
                    raise RuntimeError("lost")
                return sign * (10 + (x - 1) ** 2 + abs(y - 6))
            return objective

        earlier = []
        for by, sign in ((0, 1), (1, -1)):
            earlier.append(optuna.create_study(
                study_name=f"week {by}", sampler=optuna.samplers.RandomSampler(seed=by),
                direction="minimize" if sign == 1 else "maximize"))
            earlier[-1].optimize(shifted(by, sign), n_trials=60, catch=(RuntimeError,))
        space = {"x": FloatDistribution(-5, 5), "y": IntDistribution(0, 20, step=2)}
        study = optuna.create_study(sampler=VernierSampler(
            seed=1, prior_studies=earlier, search_space=space))
        study.optimize(shifted(0), n_trials=2)
        for each in study.trials:
            self.assertLess(each.value, 13)
        again = optuna.create_study(sampler=VernierSampler(seed=1, prior_studies=earlier))
        again.optimize(shifted(0), n_trials=3)
        self.assertLess(again.trials[1].value, 13)  # The first says what there is.

    def test_earlier_studies_have_one_objective(self):
        two = optuna.create_study(directions=["minimize", "maximize"])
        with self.assertRaisesRegex(ValueError, "one objective"):
            VernierSampler(prior_studies=[two])
        with self.assertLogs("vernier_hpo", "WARNING") as logs:
            study = optuna.create_study(
                directions=["minimize", "maximize"], sampler=VernierSampler(
                    prior_studies=[optuna.create_study()]))
            study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 1.0), n_trials=2)
        self.assertIn("left out", logs.output[0])

    def test_threads_share_a_sampler(self):
        study = study_of()
        study.optimize(mixed, n_trials=16, n_jobs=4)
        self.assertEqual(len(study.trials), 16)
        points = [tuple(each.items()) for each in params(study)]
        self.assertEqual(len(set(points)), 16)

    def test_two_processes_share_a_storage(self):
        with tempfile.TemporaryDirectory() as folder:
            storage = f"sqlite:///{folder}/studies.db"
            optuna.create_study(study_name="shared", storage=storage)
            here = os.path.dirname(os.path.abspath(__file__))
            command = [sys.executable, "-c", WORKER, here, storage]
            with concurrent.futures.ThreadPoolExecutor() as pool:
                ends = list(pool.map(
                    lambda _: subprocess.run(command, capture_output=True, check=False,
                                             timeout=300, text=True), range(2)))
            self.assertEqual([each.returncode for each in ends], [0, 0], ends)
            study = optuna.load_study(study_name="shared", storage=storage)
            self.assertEqual(len(study.trials), 20)
            points = [tuple(sorted(each.items(), key=lambda item: item[0]))
                      for each in params(study)]
            # Two that ask before either has stored its point may get the same one.
            self.assertGreater(len(set(points)), 12)

    def test_a_forked_process_has_an_engine_of_its_own(self):
        study, whole = study_of(3), study_of(3)
        study.optimize(mixed, n_trials=5)
        whole.optimize(mixed, n_trials=7)
        child = os.fork()
        if child == 0:
            try:
                study.optimize(mixed, n_trials=2)
                os._exit(0 if params(study) == params(whole) else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        study.optimize(mixed, n_trials=2)
        self.assertEqual(params(study), params(whole))

    def test_a_seed_is_a_whole_number_from_0_on(self):
        for seed, error in ((-1, ValueError), (2 ** 63, ValueError), (0.5, TypeError)):
            with self.assertRaises(error):
                VernierSampler(seed=seed)


if __name__ == "__main__":
    unittest.main()
