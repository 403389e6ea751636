"""The callback with the real Keras (on TensorFlow)."""

import os
import unittest

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras  # noqa: E402
import numpy  # noqa: E402

from callback_case import CallbackCase  # noqa: E402
import vernier_hpo.optuna as optuna  # noqa: E402
from vernier_hpo.integration.keras import VernierCallback  # noqa: E402

generator = numpy.random.default_rng(0)
X = generator.normal(size=(64, 3)).astype("float32")
Y = X[:, :1]


class KerasTest(CallbackCase):
    MONITOR = "val_loss"

    def callback(self, trial, monitor=None):
        return VernierCallback(trial, monitor or self.MONITOR)

    def optunas(self, trial):
        return optuna.integration.KerasPruningCallback(trial, self.MONITOR)

    def train(self, callback, is_bad):
        keras.utils.set_random_seed(0)
        model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(0.0 if is_bad else 0.1), "mse")
        model.fit(X, Y, epochs=self.STEPS, verbose=0, callbacks=[callback],
                  validation_data=(X, Y + (1000 if is_bad else 0)))

    def test_callback(self):
        self.run_callback_cases()


if __name__ == "__main__":
    unittest.main()
