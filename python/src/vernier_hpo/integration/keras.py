"""A callback for Keras, also as tf.keras.

    model.fit(..., callbacks=[VernierCallback(trial, "val_loss")])
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import keras

from ._watch import AnyTrial, Watch, no_such_metric


class VernierCallback(keras.callbacks.Callback):  # type: ignore[misc]
    """Reports a metric after each epoch, and ends the training if the trial is stopped.

    At the end of a stopped training it raises TrialStopped if the trial is one of
    study.optimize. `trial=None`: the trial that the service launched.
    """

    def __init__(self, trial: Optional[AnyTrial] = None, monitor: str = "val_loss") -> None:
        super().__init__()
        self._watch = Watch(trial)
        self._monitor = monitor

    def on_epoch_end(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        """Steps are epochs, from 1."""
        known = logs or {}
        if self._monitor not in known:
            raise no_such_metric(self._monitor, known)
        if self._watch.report(known[self._monitor], epoch + 1):
            self.model.stop_training = True

    def on_train_end(self, logs: Optional[Dict[str, Any]] = None) -> None:
        """Raises TrialStopped after an early end."""
        self._watch.raise_if_stopped()
