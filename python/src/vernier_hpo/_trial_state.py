"""The states of a trial."""

from __future__ import annotations

import enum


class TrialState(str, enum.Enum):
    """Life of a trial, in the service's words; Optuna's are other names of the same."""

    REQUESTED = "requested"    #: Its parameters are chosen, nobody runs it yet.
    ACTIVE = "active"          #: Runs.
    STOPPING = "stopping"      #: Runs, and was told to end early.
    COMPLETED = "completed"    #: Ended well, with its value.
    STOPPED = "stopped"        #: Ended early, with its last value; never the best.
    INFEASIBLE = "infeasible"  #: Its parameters cannot be evaluated, or its value is not finite.
    FAILED = "failed"          #: Every attempt of the service to run it was lost.

    WAITING = "requested"
    RUNNING = "active"
    COMPLETE = "completed"
    PRUNED = "stopped"
    FAIL = "failed"

    def __str__(self) -> str:
        return self.value

    def is_finished(self) -> bool:
        """Whether the trial has ended."""
        return self in (TrialState.COMPLETED, TrialState.STOPPED, TrialState.INFEASIBLE,
                        TrialState.FAILED)


def state_of(text: str, end_cause: str = "") -> TrialState:
    """The state for the service's word; older services call a stopped one completed."""
    if text == "COMPLETED" and end_cause == "stopped_early":
        return TrialState.STOPPED
    return TrialState(text.lower())


def check_end_state(state: object) -> TrialState:
    """A state that a trial may be told to end in; ValueError for another."""
    ends = (TrialState.COMPLETED, TrialState.STOPPED, TrialState.INFEASIBLE,
            TrialState.FAILED)
    for end in ends:
        if state in (end, end.value):
            return end
    if isinstance(state, str) and state.upper() in TrialState.__members__:
        named = TrialState.__members__[state.upper()]
        if named in ends:
            return named
    raise ValueError(f"a trial ends as {', '.join(each.value for each in ends)}: {state!r}")
