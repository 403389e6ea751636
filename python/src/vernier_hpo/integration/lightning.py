"""A callback for Lightning, also under its older name pytorch_lightning.

    Trainer(callbacks=[VernierCallback(trial, "val_loss")])
"""

from __future__ import annotations

import sys
from typing import Any, Optional

from ._watch import AnyTrial, Watch, no_such_metric

# Each package has a Trainer and a Callback of its own: the one in use counts.
if "pytorch_lightning" in sys.modules and "lightning.pytorch" not in sys.modules:
    from pytorch_lightning.callbacks import Callback
else:
    try:
        from lightning.pytorch.callbacks import Callback
    except ImportError:
        from pytorch_lightning.callbacks import Callback


class VernierCallback(Callback):  # type: ignore[misc]
    """Reports a metric after each validation, and ends the training if the trial is
    stopped; then raises TrialStopped if the trial is one of study.optimize.

    The module logs the metric: self.log("val_loss", loss). With several processes
    only the first one reports, and all of them end together.
    """

    def __init__(self, trial: Optional[AnyTrial] = None, monitor: str = "val_loss") -> None:
        super().__init__()
        self._watch = Watch(trial)
        self._monitor = monitor

    def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
        """Steps are epochs, from 1."""
        if trainer.sanity_checking:
            return
        value = trainer.callback_metrics.get(self._monitor)
        if value is None:
            raise no_such_metric(self._monitor, trainer.callback_metrics)
        stops = False
        if trainer.is_global_zero:
            stops = self._watch.report(value, trainer.current_epoch + 1)
        stops = trainer.strategy.reduce_boolean_decision(stops, all=False)
        self._watch.is_stopped = stops
        trainer.should_stop = trainer.should_stop or stops

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        """Raises TrialStopped after an early end."""
        self._watch.raise_if_stopped()
