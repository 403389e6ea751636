"""Which combinations of values trials have not had yet.

What an objective asks for may depend on the values that it got before. So the values of
trials are a tree: below each value lies the parameter that is asked for next.
"""

from __future__ import annotations

import itertools
from typing import Any, Dict, Iterator, List, Optional, Sequence

from .._frozen_trial import FrozenTrial
from ..distributions import (BaseDistribution, CategoricalDistribution, FloatDistribution,
                             IntDistribution)


def values_of(distribution: BaseDistribution) -> List[Any]:
    """All values that a parameter can have. ValueError if they are no list."""
    if isinstance(distribution, CategoricalDistribution):
        return list(distribution.choices)
    if isinstance(distribution, IntDistribution):
        return list(range(distribution.low, distribution.high + 1, distribution.step))
    assert isinstance(distribution, FloatDistribution)
    if distribution.step is None:
        if distribution.low == distribution.high:
            return [distribution.low]
        raise ValueError(f"every combination of values can be tried only of floats with a "
                         f"step: {distribution}")
    count = round((distribution.high - distribution.low) / distribution.step) + 1
    return [min(distribution.high, distribution.low + i * distribution.step)
            for i in range(count)]


def _position(distribution: BaseDistribution, value: Any) -> Optional[int]:
    """Where a value is among all values; None for one that is none of them."""
    if not distribution.contains(value):
        return None
    if isinstance(distribution, CategoricalDistribution):
        return distribution.index_of(value)
    assert isinstance(distribution, (FloatDistribution, IntDistribution))
    place: int = round((value - distribution.low) / (distribution.step or 1))
    return place


class ValueTree:
    """The values of some trials, below those that all of them have."""

    def __init__(self, trials: Sequence[FrozenTrial], depth: int = 0) -> None:
        """`depth` is how many of their parameters all trials have with the same value."""
        self._trials = trials
        self._depth = depth

    def is_done(self, counts_running: bool) -> bool:
        """Whether no combination is left, if one that runs counts, or does not."""
        for each in self._trials:
            if len(each.distributions) > self._depth:
                name, distribution = next(itertools.islice(
                    each.distributions.items(), self._depth, None))
                return next(self._left(name, distribution, counts_running), None) is None
        # No trial has asked for more.
        return any(counts_running or each.state.is_finished() for each in self._trials)

    def left(self, name: str, distribution: BaseDistribution,
             counts_running: bool) -> List[Any]:
        """The values of the next parameter that have a combination left."""
        values = values_of(distribution)
        return [values[i] for i in self._left(name, distribution, counts_running)]

    def _left(self, name: str, distribution: BaseDistribution,
              counts_running: bool) -> Iterator[int]:
        """Their positions."""
        by_position: Dict[Optional[int], List[FrozenTrial]] = {}
        for each in self._trials:
            if name in each.params:
                by_position.setdefault(_position(distribution, each.params[name]),
                                       []).append(each)
        for i in range(len(values_of(distribution))):
            found = by_position.get(i)
            if found is None or not ValueTree(found, self._depth + 1).is_done(counts_running):
                yield i


def below(trials: Sequence[FrozenTrial], trial: FrozenTrial) -> ValueTree:
    """The tree of those of the trials that have the values that this one has so far."""
    kept = [each for each in trials if each.number != trial.number]
    for name, distribution in trial.distributions.items():
        position = _position(distribution, trial.params[name])
        kept = [each for each in kept if name in each.params
                and _position(distribution, each.params[name]) == position]
    return ValueTree(kept, len(trial.distributions))
