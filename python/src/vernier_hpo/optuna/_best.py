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


def hypervolume_of(losses: Sequence[Sequence[float]], reference: Sequence[float]) -> float:
    """The volume between points, of which smaller numbers are better, and a reference.

    By slices along the last objective. What does not beat the reference in all of them
    adds nothing.
    """
    points = [list(each) for each in losses if all(a < b for a, b in zip(each, reference))]
    if not points:
        return 0.0
    if len(reference) == 1:
        return reference[0] - min(each[0] for each in points)
    points.sort(key=lambda each: each[-1])
    if len(reference) == 2:
        return _area_of(points, reference)
    volume = 0.0
    for i, point in enumerate(points):
        end = points[i + 1][-1] if i + 1 < len(points) else reference[-1]
        if end > point[-1]:
            volume += (end - point[-1]) * hypervolume_of(
                [each[:-1] for each in points[:i + 1]], reference[:-1])
    return volume


def _area_of(points: Sequence[Sequence[float]], reference: Sequence[float]) -> float:
    """Of points in the order of their second number."""
    area, left = 0.0, reference[0]
    for x, y in points:
        if x < left:
            area += (left - x) * (reference[1] - y)
            left = x
    return area
