"""Trials that are queued again after their program was killed."""

from __future__ import annotations

from typing import Any, List, Optional

from .._frozen_trial import FrozenTrial, create_trial
from .._states import TrialState

# Optuna's names for the first trial of a row of retries, and for all of them so far.
_FIRST, _ALL = "failed_trial", "retry_history"


class RetryFailedTrialCallback:
    """For `RDBStorage(failed_trial_callback=)`: queues a trial with the parameters and the
    attributes of the one that was killed, `max_retry` times at most."""

    def __init__(self, max_retry: Optional[int] = None,
                 inherit_intermediate_values: bool = False) -> None:
        self._max_retry = max_retry
        self._inherits_values = inherit_intermediate_values

    def __call__(self, study: Any, trial: FrozenTrial) -> None:
        """Queues a retry of a trial that was killed."""
        history = [*self.retry_history(trial), trial.number]
        if self._max_retry is not None and len(history) > self._max_retry:
            return
        study.add_trial(create_trial(
            state=TrialState.WAITING, params=trial.params, distributions=trial.distributions,
            user_attrs=trial.user_attrs,
            system_attrs={_FIRST: trial.number, **trial.system_attrs, _ALL: history},
            intermediate_values=trial.intermediate_values if self._inherits_values else None))

    @staticmethod
    def retried_trial_number(trial: Any) -> Optional[int]:
        """The number of the first trial that this one is a retry of, or None."""
        found: Optional[int] = trial.system_attrs.get(_FIRST)
        return found

    @staticmethod
    def retry_history(trial: Any) -> List[int]:
        """The numbers of the trials that this one is a retry of, the first one first."""
        return list(trial.system_attrs.get(_ALL, []))
