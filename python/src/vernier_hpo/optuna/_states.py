"""The states of a trial and the directions of a study, by Optuna's numbers."""

from __future__ import annotations

import enum


class TrialState(enum.IntEnum):
    """Life of a trial."""

    RUNNING = 0   #: Its objective runs, or `tell` is still to come.
    COMPLETE = 1  #: Ended well, with its values.
    PRUNED = 2    #: Ended early, with its last report; never the best.
    FAIL = 3      #: Has no value.
    WAITING = 4   #: Queued by `enqueue_trial`.

    def is_finished(self) -> bool:
        """Whether the trial has ended."""
        return self not in (TrialState.RUNNING, TrialState.WAITING)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"TrialState.{self.name}"


class StudyDirection(enum.IntEnum):
    """Which values are better."""

    NOT_SET = 0   #: Never here: a study has a direction.
    MINIMIZE = 1  #: Small ones.
    MAXIMIZE = 2  #: Large ones.
