"""A callback for the Trainer of Hugging Face's transformers.

    Trainer(..., callbacks=[VernierCallback(trial, "eval_loss")])
"""

from __future__ import annotations

from typing import Any, Dict, Optional

from transformers import TrainerCallback

from ._watch import AnyTrial, Watch, no_such_metric


class VernierCallback(TrainerCallback):  # type: ignore[misc]
    """Reports a metric after each evaluation, and ends the training if the trial is
    stopped; then raises TrialStopped if the trial is one of study.optimize.

    Steps count evaluations, from 1, because batches do not compare between trials. The
    metric may be named with or without "eval_".
    """

    def __init__(self, trial: Optional[AnyTrial] = None, monitor: str = "eval_loss") -> None:
        self._watch = Watch(trial)
        self._monitor = monitor if monitor.startswith("eval_") else "eval_" + monitor
        self._evaluations = 0

    def on_evaluate(self, args: Any, state: Any, control: Any,
                    metrics: Optional[Dict[str, float]] = None, **_: Any) -> None:
        """One report for each evaluation, of the first process."""
        known = metrics or {}
        if self._monitor not in known:
            raise no_such_metric(self._monitor, known)
        self._evaluations += 1
        if state.is_world_process_zero and self._watch.report(
                known[self._monitor], self._evaluations):
            control.should_training_stop = True

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Raises TrialStopped after an early end."""
        self._watch.raise_if_stopped()
