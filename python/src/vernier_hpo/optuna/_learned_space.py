"""The search space that the trials of a study have declared so far.

A parameter that only some trials have is below another one if the trials show on which
of its values it depends. The engine is then told so (a conditional parameter). What a
trial lacks for another reason counts as the middle of its range.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence

from .. import _codec
from .._codec import Codec
from .._conditional_space import ConditionalSpace, Conditions, Part
from .._space import Value
from .._suggester import Point
from ._frozen_trial import FrozenTrial
from .distributions import (BaseDistribution, CategoricalDistribution, FloatDistribution,
                            IntDistribution, kind_of)

# So many trials in a row with one range: the objective has come to another one.
_SETTLED = 10
_MOST_CHOICES = 1000


class LearnedSpace(ConditionalSpace):
    """The space that some trials show, which are by number. Never changes."""

    def __init__(self, trials: Sequence[FrozenTrial]) -> None:
        declared = [each for each in trials if each.distributions]
        names = list(dict.fromkeys(name for each in declared for name in each.distributions))
        ranges = {name: _range_of([each.distributions[name] for each in declared
                                   if name in each.distributions]) for name in names}
        self.distributions: Dict[str, BaseDistribution] = {
            name: each for name, each in ranges.items()
            if not each.single() and not _has_too_many(each)}
        codecs = {name: codec_of(each) for name, each in self.distributions.items()}
        found = Conditions(declared, codecs)
        super().__init__(codecs, codecs, {name: found.of(name) for name in codecs})

    def names(self) -> str:
        """The engine's names, and whose they are."""
        return ", ".join(f"{part.ours} = {name}" for name, part in self._parts.items())

    def point_of(self, values: Mapping[str, Any]) -> Optional[Point]:
        """A trial's point. None if a value lies outside of the present ranges."""
        def encoded(name: str, part: Part) -> Optional[Value]:
            if name not in values:
                return part.codec.parameter.middle()
            if not _is_within(self.distributions[name], values[name]):
                return None
            return part.codec.encode(values[name])

        return self._point(encoded)


def codec_of(distribution: BaseDistribution) -> Codec:
    """The engine's parameter for a distribution, and the values' two forms."""
    if isinstance(distribution, CategoricalDistribution):
        return _codec.choices(distribution.choices, distribution.index_of)
    assert isinstance(distribution, (FloatDistribution, IntDistribution))
    return _codec.numbers(distribution.low, distribution.high, distribution.step,
                          distribution.log, isinstance(distribution, IntDistribution))


def _has_too_many(distribution: BaseDistribution) -> bool:
    """Whether there are more choices than the engine takes: they are drawn then."""
    return (isinstance(distribution, CategoricalDistribution)
            and len(distribution.choices) > _MOST_CHOICES)


def _is_within(distribution: BaseDistribution, value: Any) -> bool:
    """Whether the engine may be shown the value. It may lie between two steps, where
    trials have different ones."""
    if isinstance(distribution, (FloatDistribution, IntDistribution)):
        return bool(distribution.low <= value <= distribution.high)
    return distribution.contains(value)


def _range_of(declared: Sequence[BaseDistribution]) -> BaseDistribution:
    """One distribution for those that the trials had: all ranges together, or the last
    one if so many trials in a row had it that it is there to stay."""
    last = declared[-1]
    if isinstance(last, CategoricalDistribution) or all(each == last for each in declared):
        return last
    settled = declared[-_SETTLED:]
    if len(settled) == _SETTLED and all(each == last for each in settled):
        return last
    low = min(each._asdict()["low"] for each in declared)
    high = max(each._asdict()["high"] for each in declared)
    steps = {each._asdict()["step"] for each in declared}
    step = steps.pop() if len(steps) == 1 else None
    if step is not None and any(
            _is_off(each._asdict()["low"] - low, step) for each in declared):
        step = None
    log = last._asdict()["log"]
    if kind_of(last) is IntDistribution:
        return IntDistribution(low, high, log=log, step=step or 1)
    return FloatDistribution(low, high, log=log, step=step)


def _is_off(distance: float, step: float) -> bool:
    return abs(distance / step - round(distance / step)) > 1e-8
