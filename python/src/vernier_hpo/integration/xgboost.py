"""A callback for XGBoost.

    xgboost.train(params, data, evals=[(held_out, "validation")],
                  callbacks=[VernierCallback(trial, "validation-rmse")])
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import xgboost

from ._watch import AnyTrial, Watch, no_such_metric


class VernierCallback(xgboost.callback.TrainingCallback):  # type: ignore[misc]
    """Reports a metric every so many rounds, and ends the training if the trial is
    stopped; then raises TrialStopped if the trial is one of study.optimize.

    `monitor` is the data's name and the metric's, as XGBoost prints them:
    "validation-rmse"; of xgboost.cv "test-rmse", whose mean counts.
    """

    def __init__(self, trial: Optional[AnyTrial] = None,
                 monitor: str = "validation-rmse", every: int = 1) -> None:
        super().__init__()
        self._watch = Watch(trial, every)
        self._monitor = monitor

    def after_iteration(self, model: Any, epoch: int,
                        evals_log: Dict[str, Dict[str, Any]]) -> bool:
        """Steps are rounds, from 1. True ends the training."""
        values = {f"{data}-{metric}": listed[-1] for data, metrics in evals_log.items()
                  for metric, listed in metrics.items()}
        if self._monitor not in values:
            raise no_such_metric(self._monitor, values)
        value = values[self._monitor]
        return self._watch.report(value[0] if isinstance(value, tuple) else value,
                                  epoch + 1)

    def after_training(self, model: Any) -> Any:
        """Raises TrialStopped after an early end."""
        self._watch.raise_if_stopped()
        return model
