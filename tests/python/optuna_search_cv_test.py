"""vernier_hpo.optuna.integration.OptunaSearchCV, with scikit-learn."""

import math
import unittest

import numpy
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.svm import SVC

import package  # noqa: F401
import vernier_hpo.optuna as optuna
from vernier_hpo.optuna.distributions import CategoricalDistribution, FloatDistribution
from vernier_hpo.optuna.exceptions import NotServedError
from vernier_hpo.optuna.integration import OptunaSearchCV
from vernier_hpo.optuna.trial import TrialState

SPACE = {"C": FloatDistribution(1e-3, 1e3, log=True),
         "kernel": CategoricalDistribution(["linear", "rbf"])}


class OptunaSearchTest(unittest.TestCase):
    def setUp(self):
        optuna.logging.set_verbosity(optuna.logging.CRITICAL)
        self.addCleanup(optuna.logging.set_verbosity, optuna.logging.INFO)
        self.X, self.y = load_iris(return_X_y=True)

    def search(self, estimator=None, space=SPACE, **settings):
        return OptunaSearchCV(estimator or SVC(), space,
                              **{"n_trials": 6, "random_state": 1, "cv": 3, **settings})

    def test_it_finds_good_parameters_and_fits_the_best(self):
        search = self.search(return_train_score=True).fit(self.X, self.y)
        self.assertGreater(search.best_score_, 0.93)
        self.assertGreater(search.score(self.X, self.y), 0.93)
        self.assertEqual(search.best_params_, search.study_.best_params)
        self.assertEqual(search.best_score_, search.study_.best_value)
        self.assertEqual(search.best_index_, search.study_.best_trial.number)
        self.assertEqual((search.n_trials_, len(search.trials_)), (6, 6))
        best = search.study_.best_trial
        scores = [best.user_attrs[f"split{i}_test_score"] for i in range(3)]
        self.assertAlmostEqual(sum(scores) / 3, best.value)
        self.assertIn("mean_train_score", best.user_attrs)
        self.assertAlmostEqual(
            cross_val_score(SVC(**best.params), self.X, self.y, cv=3).mean(), best.value)
        again = clone(search).fit(self.X, self.y)
        self.assertEqual([each.params for each in again.trials_],
                         [each.params for each in search.trials_])

    def test_a_study_and_its_callbacks(self):
        study = optuna.create_study(direction="maximize",
                                    sampler=optuna.samplers.RandomSampler(seed=1))
        seen = []
        search = self.search(study=study, n_trials=None, callbacks=[
            lambda study, trial: seen.append(trial.number),
            optuna.study.MaxTrialsCallback(4)]).fit(self.X, self.y)
        self.assertIs(search.study_, study)
        self.assertEqual(seen, [0, 1, 2, 3])
        search.set_user_attr("who", "me")
        self.assertEqual(search.user_attrs_, {"who": "me"})
        with self.assertRaisesRegex(ValueError, "must be 'maximize'"):
            self.search(study=optuna.create_study()).fit(self.X, self.y)

    def test_trials_on_some_rows_and_the_best_on_all(self):
        class Counted(LogisticRegression):
            def fit(self, X, y):
                self.rows_ = len(X)
                return super().fit(X, y)

        space = {"C": SPACE["C"]}
        for subsample in (0.4, 60):
            search = self.search(Counted(max_iter=500), space, subsample=subsample,
                                 n_trials=2).fit(self.X, self.y)
            self.assertEqual(search.best_estimator_.rows_, 150)
            self.assertEqual(search.cv_results_["mean_test_score"].shape, (2,))
        with self.assertRaisesRegex(ValueError, "subsample leaves no row"):
            self.search(subsample=0.001).fit(self.X, self.y)

    def test_groups_are_kept_together(self):
        groups = numpy.arange(150) % 5
        for subsample in (1.0, 0.8):
            search = self.search(cv=GroupKFold(5), n_trials=2, subsample=subsample).fit(
                self.X, self.y, groups=groups)
            self.assertEqual(search.n_splits_, 5)

    def test_trials_whose_fits_fail(self):
        space = {"C": CategoricalDistribution([-1.0, 1.0]), "kernel": SPACE["kernel"]}
        study = optuna.create_study(direction="maximize",
                                    sampler=optuna.samplers.BruteForceSampler())
        search = self.search(space=space, study=study).fit(self.X, self.y)
        states = {(each.params["C"], each.state) for each in study.trials}
        self.assertEqual(states, {(-1.0, TrialState.FAIL), (1.0, TrialState.COMPLETE)})
        self.assertEqual(search.best_params_["C"], 1.0)
        bad = {"C": CategoricalDistribution([-1.0, -2.0])}
        for settings in ({}, {"error_score": "raise"}):
            with self.assertRaises(ValueError):
                self.search(space=bad, n_trials=2, **settings).fit(self.X, self.y)
        failing = self.search(space=space, error_score="raise", catch=ValueError,
                              study=optuna.create_study(
                                  direction="maximize",
                                  sampler=optuna.samplers.BruteForceSampler()))
        self.assertTrue(math.isfinite(failing.fit(self.X, self.y).best_score_))

    def test_what_is_not_served_says_so(self):
        with self.assertRaisesRegex(NotServedError, "enable_pruning"):
            self.search(enable_pruning=True).fit(self.X, self.y)
        with self.assertRaisesRegex(ValueError, "scoring is one score"):
            self.search(scoring=["accuracy", "f1_macro"]).fit(self.X, self.y)


if __name__ == "__main__":
    unittest.main()
