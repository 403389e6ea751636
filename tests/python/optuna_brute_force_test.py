"""vernier_hpo.optuna.samplers.BruteForceSampler."""

import unittest

import package  # noqa: F401
import vernier_hpo.optuna as optuna
from vernier_hpo.optuna.trial import TrialState


def branched(trial):
    if trial.suggest_categorical("kind", ["a", None]) == "a":
        return trial.suggest_int("x", 1, 5, step=2)
    return 10 * trial.suggest_float("y", 0, 1, step=0.5) + trial.suggest_int("one", 2, 2)


ALL = {("a", 1), ("a", 3), ("a", 5), (None, 0.0, 2), (None, 0.5, 2), (None, 1.0, 2)}


class BruteForceTest(unittest.TestCase):
    def study(self, **settings):
        optuna.logging.set_verbosity(optuna.logging.CRITICAL)
        self.addCleanup(optuna.logging.set_verbosity, optuna.logging.INFO)
        return optuna.create_study(sampler=optuna.samplers.BruteForceSampler(**settings))

    def points(self, study):
        return [tuple(each.params.values()) for each in study.trials]

    def test_tries_each_combination_once_and_ends(self):
        study = self.study(seed=1)
        study.optimize(branched)
        self.assertEqual(set(self.points(study)), ALL)
        self.assertEqual(len(study.trials), len(ALL))
        self.assertEqual(study.best_value, 1)

    def test_goes_on_where_it_was(self):
        study = self.study()
        for n_trials in (2, 3, None):
            study.optimize(branched, n_trials=n_trials)
        self.assertEqual(sorted(map(str, self.points(study))), sorted(map(str, ALL)))

    def test_several_at_a_time(self):
        study = self.study(avoid_premature_stop=True)
        study.optimize(branched, n_jobs=3)
        self.assertEqual(set(self.points(study)), ALL)

    def test_trials_beside_each_other_have_other_values(self):
        study = self.study(seed=3)
        first, second = study.ask(), study.ask()
        self.assertNotEqual(first.suggest_categorical("kind", ["a", None]),
                            second.suggest_categorical("kind", ["a", None]))

    def test_trials_that_were_pruned_or_failed_count(self):
        def ends(trial):
            x = trial.suggest_int("x", 1, 3)
            if x == 2:
                raise optuna.TrialPruned()
            if x == 3:
                raise ValueError
            return x

        study = self.study()
        study.optimize(ends, n_trials=30, catch=ValueError)
        self.assertEqual({each.params["x"]: each.state for each in study.trials},
                         {1: TrialState.COMPLETE, 2: TrialState.PRUNED, 3: TrialState.FAIL})
        self.assertEqual(len(study.trials), 3)

    def test_needs_values_that_can_be_listed(self):
        with self.assertRaisesRegex(ValueError, "floats with a step"):
            self.study().optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=1)


class CrossoverTest(unittest.TestCase):
    def test_crossovers_are_settings_that_do_nothing(self):
        from vernier_hpo.optuna.samplers.nsgaii import SBXCrossover

        sampler = optuna.samplers.NSGAIISampler(crossover=SBXCrossover(eta=2), seed=1)
        study = optuna.create_study(directions=["minimize"] * 2, sampler=sampler)
        study.optimize(lambda trial: [trial.suggest_float("x", 0, 1)] * 2, n_trials=2)
        self.assertEqual(len(study.trials), 2)


if __name__ == "__main__":
    unittest.main()
