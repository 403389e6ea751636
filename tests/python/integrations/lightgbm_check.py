"""The callback with the real LightGBM."""

import unittest

import lightgbm
import numpy

from callback_case import CallbackCase
import vernier_hpo.optuna as optuna
from vernier_hpo.integration.lightgbm import VernierCallback

generator = numpy.random.default_rng(0)
X = generator.normal(size=(200, 3))
Y = X[:, 0] + 0.1 * X[:, 1]


class LightGbmTest(CallbackCase):
    def callback(self, trial, monitor=None):
        return VernierCallback(trial, monitor or "validation-l2")

    def optunas(self, trial):
        return optuna.integration.LightGBMPruningCallback(trial, "l2", "validation")

    def train(self, callback, is_bad):
        data = lightgbm.Dataset(X[:100], Y[:100])
        held_out = lightgbm.Dataset(X[100:], Y[100:] + (1000 if is_bad else 0),
                                    reference=data)
        return lightgbm.train(
            {"objective": "l2", "verbose": -1, "learning_rate": 1e-9 if is_bad else 0.3},
            data, self.STEPS, valid_sets=[held_out], valid_names=["validation"],
            callbacks=[callback])

    def test_callback(self):
        self.run_callback_cases()

    def test_cross_validation(self):
        lightgbm.cv({"objective": "l2", "verbose": -1}, lightgbm.Dataset(X, Y), 3,
                    nfold=2, stratified=False, callbacks=[VernierCallback(None, "valid-l2")])


if __name__ == "__main__":
    unittest.main()
