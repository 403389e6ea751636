"""What all callbacks do: report a metric, and ask whether to stop."""

from __future__ import annotations

from typing import Any, Iterable, Optional, Union

from .._current_trial import LaunchedTrial
from .._current_trial import trial as launched_trial
from .._trial import Trial
from ..errors import TrialStopped
from ..optuna._base_trial import BaseTrial
from ..optuna.exceptions import TrialPruned

AnyTrial = Union[Trial, LaunchedTrial, BaseTrial]


class Watch:
    """Reports one metric of a trial: the given one, or the one this process runs.

    `every` is the number of steps between two reports, so that a fast training does
    not wait for the service; it is >= 1.
    """

    def __init__(self, trial: Optional[AnyTrial], every: int = 1) -> None:
        if every < 1:
            raise ValueError(f"every must be >= 1: {every}")
        self.trial: AnyTrial = launched_trial() if trial is None else trial
        self.every = every
        self.is_stopped = False

    def report(self, value: Any, step: int) -> bool:
        """Reports, and returns whether the training is to end now."""
        if step % self.every == 0:
            self.trial.report(float(value), step)
            self.is_stopped = self.trial.should_stop()
        return self.is_stopped

    def raise_if_stopped(self) -> None:
        """Ends an objective early. A launched trial goes on to its own end."""
        if self.is_stopped and not isinstance(self.trial, LaunchedTrial):
            kind = TrialPruned if isinstance(self.trial, BaseTrial) else TrialStopped
            raise kind(f"trial {getattr(self.trial, 'number', '')} was stopped early")


def no_such_metric(monitor: str, known: Iterable[str]) -> ValueError:
    """The error for a metric that the training does not have."""
    listed = ", ".join(sorted(known)) or "none"
    return ValueError(f"the training has no metric {monitor!r}; it has {listed}")
