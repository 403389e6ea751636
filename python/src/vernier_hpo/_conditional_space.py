"""Spaces with parameters that exist only for some values of another one.

On which of them the existence of a parameter depends is learnt from the trials: from
what they declared, in which order, and what they lack.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import (Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Set,
                    Tuple)

from ._codec import Codec
from ._space import Categorical, Int, Parameter, Value
from ._suggester import Point

_MOST_VALUES_OF_A_PARENT = 64


@dataclasses.dataclass(frozen=True)
class Condition:
    """The parameter exists while its parent has one of these values of the engine's."""

    parent: str
    values: Tuple[Value, ...]


@dataclasses.dataclass(frozen=True)
class Part:
    """A parameter: its name for the engine, and what it may be."""

    ours: str
    codec: Codec
    condition: Optional[Condition]


class ConditionalSpace:
    """The engine's parameters p0, p1, ... for those of some names. Never changes."""

    def __init__(self, names: Iterable[str], codecs: Mapping[str, Codec],
                 conditions: Mapping[str, Optional[Condition]]) -> None:
        """`names` are in the order of the numbers, `codecs` in one in which each is behind
        its parent. That of the trials is one: see `Conditions`."""
        numbers = {name: f"p{i}" for i, name in enumerate(names)}
        self._parts = {name: Part(numbers[name], codec, conditions.get(name))
                       for name, codec in codecs.items()}
        self._names = list(numbers)

    def __len__(self) -> int:
        return len(self._parts)

    def parameters(self) -> Dict[str, Parameter]:
        """The engine's parameters by the engine's names."""
        return {self._parts[name].ours: self._parameter(self._parts[name])
                for name in self._names}

    def part(self, name: str) -> Optional[Part]:
        """What the parameter is to the engine; None if it is not searched."""
        return self._parts.get(name)

    def _parameter(self, part: Part) -> Parameter:
        if part.condition is None:
            return part.codec.parameter
        when = {self._parts[part.condition.parent].ours: list(part.condition.values)}
        changed: Parameter = dataclasses.replace(part.codec.parameter,
                                                 when=when)  # type: ignore[call-arg]
        return changed

    def _point(self, encoded: Callable[[str, Part], Optional[Value]]) -> Optional[Point]:
        """The point of the values that `encoded` returns for the parameters that there
        are; None if it returns None for one."""
        point: Point = {}
        for name, part in self._parts.items():
            if self._is_active(part, point):
                value = encoded(name, part)
                if value is None:
                    return None
                point[part.ours] = value
        return point

    def _is_active(self, part: Part, point: Mapping[str, Any]) -> bool:
        if part.condition is None:
            return True
        value = point.get(self._parts[part.condition.parent].ours)
        return any(value == each for each in part.condition.values)

    def values_of(self, point: Mapping[str, Any]) -> Dict[str, Any]:
        """A point of the engine's as values by name, of the parameters that it has."""
        return {name: part.codec.decode(point[part.ours])
                for name, part in self._parts.items() if part.ours in point}


class Conditions:
    """Finds on which other parameter the existence of each one depends.

    A trial is an object with `distributions`, in the order in which it declared them,
    `params` and `state`: one of `vernier_hpo.optuna`, or of Optuna itself.
    """

    def __init__(self, trials: Sequence[Any], codecs: Mapping[str, Codec]) -> None:
        self._trials = trials
        self._codecs = codecs
        self._encoded: Dict[str, List[Any]] = {}  # By name, of each trial; see _values.

    def of(self, name: str) -> Optional[Condition]:
        """The condition that explains best which trials lack the parameter; None if
        none lacks it, or nothing explains most of them.

        Trials that failed lack nothing: they may have ended before they declared it.
        """
        have = [i for i, each in enumerate(self._trials) if name in each.distributions]
        lack = [i for i, each in enumerate(self._trials)
                if name not in each.distributions
                and each.state.name in ("COMPLETE", "PRUNED")]
        if not lack:
            return None
        best: Optional[Tuple[Tuple[int, int, int], str]] = None
        before = _declared_before(name, [self._trials[i] for i in have])
        for i, parent in enumerate(before):
            found = self._division(parent, have, lack)
            # Of two that explain as much the simpler one, and then the nearer one.
            rank = None if found is None else (*found, -i)
            if rank is not None and (best is None or rank < best[0]):
                best = (rank, parent)
        if best is None or 2 * best[0][0] > len(lack):
            return None
        return Condition(best[1], tuple(self._allowed(best[1], have, lack)))

    def _values(self, parent: str) -> List[Any]:
        """The engine's values of a parameter in all trials; None where one lacks it."""
        if parent not in self._encoded:
            encode = self._codecs[parent].encode
            self._encoded[parent] = [
                encode(each.params[parent]) if parent in each.params else None
                for each in self._trials]
        return self._encoded[parent]

    def _seen(self, parent: str, have: Sequence[int], lack: Sequence[int]
              ) -> Tuple[Set[Any], List[Any]]:
        """The parent's values in trials that have the parameter, and in those that lack
        it, of which each is there as often as it was seen."""
        values = self._values(parent)
        return ({values[i] for i in have},
                [values[i] for i in lack if values[i] is not None])

    def _division(self, parent: str, have: Sequence[int],
                  lack: Sequence[int]) -> Optional[Tuple[int, int]]:
        """How many trials a parent leaves unexplained, and into how many groups of its
        values it divides the trials. None if it can be no parent."""
        possible = _values_of_parent(self._codecs.get(parent))
        if possible is None:
            return None
        present, absent = self._seen(parent, have, lack)
        known = present.union(absent)
        seen = [each for each in possible if each in known]
        if not seen:
            return None  # Its range has changed since.
        groups = len(seen)
        if isinstance(self._codecs[parent].parameter, Int):
            groups = 1 + sum((one in present) != (other in present)
                             for one, other in zip(seen, seen[1:]))
        return sum(each in present for each in absent), groups

    def _allowed(self, parent: str, have: Sequence[int], lack: Sequence[int]) -> List[Any]:
        """The parent's values for which the parameter exists. A number that was not seen
        is like the nearest one that was."""
        possible = _values_of_parent(self._codecs[parent]) or []
        present, absent = self._seen(parent, have, lack)
        if not isinstance(self._codecs[parent].parameter, Int):
            return [each for each in possible if each in present]
        known = present.union(absent)
        seen = [each for each in possible if each in known]
        return [each for each in possible if _nearest(each, seen) in present]


def _declared_before(name: str, have: Sequence[Any]) -> List[str]:
    """The parameters that each of these trials had before this one."""
    before: Optional[List[str]] = None
    for trial in have:
        names = list(itertools.takewhile(lambda each: each != name, trial.distributions))
        if before is None:
            before = names
        elif before != names:
            known = set(names)
            before = [each for each in before if each in known]
    return before or []


def _values_of_parent(codec: Optional[Codec]) -> Optional[List[Any]]:
    """The values of a parameter that others may depend on, in their order."""
    if codec is None:
        return None  # It has one value only.
    parameter = codec.parameter
    if isinstance(parameter, Categorical):
        return list(parameter.choices)
    if isinstance(parameter, Int) and parameter.high - parameter.low < (
            _MOST_VALUES_OF_A_PARENT):
        return list(range(parameter.low, parameter.high + 1))
    return None


def _nearest(value: int, seen: Sequence[int]) -> int:
    return min(seen, key=lambda each: abs(each - value))
