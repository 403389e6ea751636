"""A callback for LightGBM.

    lightgbm.train(params, data, valid_sets=[held_out], valid_names=["validation"],
                   callbacks=[VernierCallback(trial, "validation-l2")])
"""

from __future__ import annotations

from typing import Any, Optional

from lightgbm.callback import EarlyStopException

from ._watch import AnyTrial, Watch, no_such_metric


class VernierCallback:
    """Reports a metric every so many rounds, and ends the training if the trial is
    stopped: by TrialStopped if the trial is one of study.optimize, else as LightGBM's
    own early stopping does.

    `monitor` is the data's name and the metric's: "validation-l2". Of lightgbm.cv it
    is "valid-l2", whose mean counts.
    """

    order = 100  # After LightGBM's own callbacks.
    before_iteration = False

    def __init__(self, trial: Optional[AnyTrial] = None, monitor: str = "valid_0-l2",
                 every: int = 1) -> None:
        self._watch = Watch(trial, every)
        self._monitor = monitor

    def __call__(self, env: Any) -> None:
        """Steps are rounds, from 1."""
        values = {f"{each[0]}-{each[1]}": each[2]
                  for each in env.evaluation_result_list or []}
        if self._monitor not in values:
            raise no_such_metric(self._monitor, values)
        if self._watch.report(values[self._monitor], env.iteration + 1):
            self._watch.raise_if_stopped()
            raise EarlyStopException(env.iteration, env.evaluation_result_list)
