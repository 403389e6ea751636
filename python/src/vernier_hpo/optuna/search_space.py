"""The parameters that all trials have in common."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

from ._frozen_trial import FrozenTrial
from ._states import TrialState
from .distributions import BaseDistribution


def intersection_search_space(trials: Sequence[FrozenTrial],
                              include_pruned: bool = False) -> Dict[str, BaseDistribution]:
    """What all completed trials have declared alike, by name."""
    states = [TrialState.COMPLETE, *([TrialState.PRUNED] if include_pruned else [])]
    common: Optional[Dict[str, BaseDistribution]] = None
    for trial in trials:
        if trial.state not in states:
            continue
        if common is None:
            common = dict(trial.distributions)
        else:
            common = {name: each for name, each in common.items()
                      if trial.distributions.get(name) == each}
    return dict(sorted((common or {}).items()))


class IntersectionSearchSpace:
    """Finds what all completed trials of a study have declared alike."""

    def __init__(self, include_pruned: bool = False) -> None:
        self._include_pruned = include_pruned

    def calculate(self, study: Any) -> Dict[str, BaseDistribution]:
        """The parameters, by name."""
        return intersection_search_space(study.get_trials(deepcopy=False),
                                         self._include_pruned)


__all__ = ["IntersectionSearchSpace", "intersection_search_space"]
