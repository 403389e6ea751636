"""The callback with the real XGBoost."""

import unittest

import numpy
import xgboost

from callback_case import CallbackCase
import vernier_hpo.optuna as optuna
from vernier_hpo.integration.xgboost import VernierCallback

generator = numpy.random.default_rng(0)
X = generator.normal(size=(200, 3))
Y = X[:, 0] + 0.1 * X[:, 1]


class XgboostTest(CallbackCase):
    def callback(self, trial, monitor=None):
        return VernierCallback(trial, monitor or "validation-rmse")

    def optunas(self, trial):
        return optuna.integration.XGBoostPruningCallback(trial, "validation-rmse")

    def train(self, callback, is_bad):
        data = xgboost.DMatrix(X[:100], Y[:100])
        held_out = xgboost.DMatrix(X[100:], Y[100:] + (1000 if is_bad else 0))
        return xgboost.train(
            {"eta": 1e-6 if is_bad else 0.3, "verbosity": 0}, data, self.STEPS,
            evals=[(held_out, "validation")], verbose_eval=False, callbacks=[callback])

    def test_callback(self):
        self.run_callback_cases()

    def test_cross_validation(self):
        xgboost.cv({"verbosity": 0}, xgboost.DMatrix(X, Y), 3, nfold=2,
                   callbacks=[VernierCallback(None, "test-rmse", every=2)])


if __name__ == "__main__":
    unittest.main()
