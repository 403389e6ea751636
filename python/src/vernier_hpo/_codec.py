"""Values of other libraries as parameters of the engine, and back."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, List, Optional, Sequence

from ._space import Categorical, Discrete, Float, Int, Parameter, Value

_MOST_EXACT = 2 ** 53


@dataclasses.dataclass(frozen=True)
class Codec:
    """The engine's parameter for one of another library, and the values' two forms."""

    parameter: Parameter
    encode: Callable[[Any], Value]
    decode: Callable[[Any], Any]


def real(low: float, high: float, log: bool) -> Codec:
    """A float of [low, high]."""
    low, high = float(low), float(high)
    return Codec(Float(low, high, log=log), float,
                 lambda given: min(high, max(low, float(given))))


def whole_number(low: int, high: int, log: bool) -> Codec:
    """An int from low to high, both included.

    Beyond 2^53 the engine, whose numbers are doubles, sees a float.
    """
    if max(abs(low), abs(high)) <= _MOST_EXACT:
        return Codec(Int(low, high, log=log), int, int)
    return Codec(Float(float(low), float(high), log=log), float,
                 lambda given: min(high, max(low, int(given))))


def steps(low: float, step: float, count: int, kind: Callable[[Any], Any]) -> Codec:
    """low, low + step, ...: `count` values, of which the engine sees the index, beyond
    2^53 as a float."""
    if count - 1 > _MOST_EXACT:
        return Codec(Float(0.0, float(count - 1)), lambda value: float((value - low) / step),
                     lambda given: kind(low + min(count - 1, max(0, round(given))) * step))
    return Codec(Int(0, count - 1), lambda value: round((value - low) / step),
                 lambda given: kind(low + int(given) * step))


def numbers(low: float, high: float, step: Optional[float], log: bool,
            is_whole: bool) -> Codec:
    """A number as Optuna describes it: whole numbers have a step of 1 or more, and real
    ones may have one, of which `high` is a whole number away from `low`."""
    if is_whole:
        if step == 1:
            return whole_number(int(low), int(high), log)
        assert step is not None
        return steps(low, step, int((high - low) // step) + 1, int)
    if step is None:
        return real(low, high, log)
    return steps(low, step, round((high - low) / step) + 1,
                 lambda value: min(high, float(value)))


def multiples(low: float, high: float, step: float, log: bool,
              kind: Callable[[Any], Any]) -> Codec:
    """The multiples of `step` from low to high. ValueError if there is none.

    On a logarithmic scale the engine sees at most 1,000 values, or else a float that is
    rounded afterwards.
    """
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if last < first:
        raise ValueError(f"no multiple of {step} is in [{low}, {high}]")
    if not log:
        return Codec(Int(first, last), lambda value: round(value / step),
                     lambda given: kind(int(given) * step))
    if last - first < 1000:
        values = [kind(each * step) for each in range(first, last + 1)]
        return Codec(Discrete(values, log=True), kind, kind)
    return Codec(Float(float(low), float(high), log=True), float,
                 lambda given: kind(min(last, max(first, round(given / step))) * step))


def choices(values: Sequence[Any], index_of: Callable[[Any], int]) -> Codec:
    """One of some values of any kind, of which the engine sees the index."""
    listed: List[Any] = list(values)
    return Codec(Categorical([str(i) for i in range(len(listed))]),
                 lambda value: str(index_of(value)), lambda given: listed[int(given)])
