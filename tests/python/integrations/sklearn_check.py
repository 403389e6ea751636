"""VernierSearchCV with the real scikit-learn."""

import math
import pickle
import unittest
import warnings

import numpy
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from optuna_search_cv_test import OptunaSearchTest  # noqa: F401
from package import ServiceCase
import vernier_hpo as vn
from vernier_hpo.integration.sklearn import VernierSearchCV

C = {"C": vn.Float(1e-3, 1e3, log=True)}


class SearchTest(ServiceCase):
    def setUp(self):
        super().setUp()
        self.X, self.y = load_iris(return_X_y=True)

    def test_it_finds_good_parameters_of_a_pipeline(self):
        search = VernierSearchCV(
            make_pipeline(StandardScaler(), SVC()),
            {"svc__C": vn.Float(1e-3, 1e3, log=True),
             "svc__kernel": vn.Categorical(["linear", "rbf"]),
             "svc__gamma": vn.Float(1e-4, 10, log=True, when={"svc__kernel": "rbf"})},
            n_trials=12, cv=3)
        search.fit(self.X, self.y)
        self.assertGreater(search.best_score_, 0.93)
        self.assertGreater(search.score(self.X, self.y), 0.93)
        self.assertEqual(search.best_params_, search.study_.best_params)
        self.assertAlmostEqual(search.best_score_, search.study_.best_value)
        self.assertEqual(len(search.study_.trials), 12)
        again = pickle.loads(pickle.dumps(search))
        numpy.testing.assert_array_equal(again.predict(self.X), search.predict(self.X))

    def test_results_have_the_shape_of_a_grid_searchs(self):
        ours = VernierSearchCV(LogisticRegression(max_iter=500), C, n_trials=5, cv=4,
                               return_train_score=True).fit(self.X, self.y)
        theirs = GridSearchCV(LogisticRegression(max_iter=500), {"C": [0.1, 1, 10, 20, 30]},
                              cv=4, return_train_score=True).fit(self.X, self.y)
        self.assertEqual(set(ours.cv_results_), set(theirs.cv_results_))
        for key, column in theirs.cv_results_.items():
            self.assertEqual(len(ours.cv_results_[key]), len(column))
        self.assertTrue({name for name in vars(theirs) if name.endswith("_")} <=
                        {name for name in vars(ours) if name.endswith("_")})

    def test_several_metrics_and_batches(self):
        search = VernierSearchCV(
            LogisticRegression(max_iter=500), C, n_trials=5, batch_size=2, cv=3,
            scoring=["accuracy", "neg_log_loss"], refit="neg_log_loss")
        search.fit(self.X, self.y)
        self.assertEqual(search.study_.metrics, {"neg_log_loss": "maximize"})
        self.assertEqual(len(search.cv_results_["params"]), 5)
        with self.assertRaisesRegex(ValueError, "refit names the one"):
            VernierSearchCV(Ridge(), C, scoring=["r2", "neg_max_error"], refit=False).fit(
                self.X, self.y)

    def test_points_whose_fits_fail_are_infeasible(self):
        search = VernierSearchCV(
            SVC(), {"C": vn.Categorical([-1.0, 1.0]),
                    "gamma": vn.Categorical([0.1, 1.0])},
            algorithm="grid", n_trials=4, cv=3)
        search.fit(self.X, self.y)
        self.assertEqual({each["C"] for each in search.cv_results_["params"]}, {1.0})
        values = {trial.params["C"]: trial.value for trial in search.study_.trials}
        self.assertIsNone(values[-1.0])
        self.assertTrue(math.isfinite(values[1.0]))

    def test_an_error_leaves_no_open_trial(self):
        search = VernierSearchCV(SVC(), {"C": vn.Categorical([-1.0, -2.0])},
                                 study_name="errors", error_score="raise", n_trials=2)
        with self.assertRaises(ValueError):
            search.fit(self.X, self.y)
        self.assertEqual(vn.load_study("errors").trials, [])

    def test_a_study_is_gone_on_with(self):
        for _ in range(2):
            VernierSearchCV(LogisticRegression(max_iter=500), C, n_trials=3,
                            study_name="again").fit(self.X, self.y)
        self.assertEqual(len(vn.load_study("again").trials), 6)

    def test_it_may_be_searched_inside_a_cross_validation(self):
        search = VernierSearchCV(LogisticRegression(max_iter=500), C, n_trials=3, cv=3)
        self.assertEqual(len(cross_val_score(search, self.X, self.y, cv=3, n_jobs=2)), 3)

    def test_all_points_failing_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "fits failed"):
            VernierSearchCV(SVC(), {"C": vn.Categorical([-1.0, -2.0])},
                            n_trials=2).fit(self.X, self.y)

    def test_scikit_learns_own_checks(self):
        def failed(search):
            results = check_estimator(search, on_skip=None, on_fail=None)
            self.assertGreater(sum(each["status"] == "passed" for each in results), 40)
            return {each["check_name"] for each in results if each["status"] == "failed"}

        for estimator, name in ((LogisticRegression(), "C"), (Ridge(), "alpha")):
            # A grid, because the checks fit twice and compare.
            ours = VernierSearchCV(estimator, {name: vn.Discrete([0.1, 1.0])},
                                   algorithm="grid", n_trials=2, cv=2)
            theirs = GridSearchCV(estimator, {name: [0.1, 1.0]}, cv=2)
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # Some checks are none for a search; scikit-learn lists them, too.
                self.assertLessEqual(failed(ours), failed(theirs))


if __name__ == "__main__":
    unittest.main()
