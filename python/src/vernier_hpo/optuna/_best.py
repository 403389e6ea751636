"""The best trials of a study."""

from __future__ import annotations

from typing import List, Sequence

from ._frozen_trial import FrozenTrial
from ._states import StudyDirection, TrialState


def best_of(trials: Sequence[FrozenTrial], direction: StudyDirection) -> FrozenTrial:
    """The best trial that is complete and meets its constraints. ValueError if there is
    none."""
    candidates = _candidates(trials)
    if not candidates:
        is_any = any(each.state == TrialState.COMPLETE for each in trials)
        raise ValueError("no completed trial meets the constraints" if is_any
                         else "no trial is completed yet")
    sign = -1 if direction == StudyDirection.MAXIMIZE else 1
    return min(candidates, key=lambda each: sign * (each.values or [0.0])[0])


def front_of(trials: Sequence[FrozenTrial],
             directions: Sequence[StudyDirection]) -> List[FrozenTrial]:
    """The complete trials that meet their constraints and that no other one beats."""
    candidates = _candidates(trials)
    signs = [-1 if each == StudyDirection.MAXIMIZE else 1 for each in directions]
    losses = [[sign * value for sign, value in zip(signs, each.values or ())]
              for each in candidates]
    return [trial for trial, mine in zip(candidates, losses)
            if not any(_beats(other, mine) for other in losses)]


def is_candidate(trial: FrozenTrial) -> bool:
    """Whether a trial may be the best one: it is complete and meets its constraints."""
    return trial.state == TrialState.COMPLETE and bool(trial.values) and trial.is_feasible()


def _candidates(trials: Sequence[FrozenTrial]) -> List[FrozenTrial]:
    return [each for each in trials if is_candidate(each)]


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other))
