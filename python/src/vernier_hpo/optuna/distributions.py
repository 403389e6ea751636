"""What a trial says of a parameter: the values that it may have."""

from __future__ import annotations

import inspect
import json
import math
import warnings
from decimal import Decimal
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from .._space import plain

CategoricalChoiceType = Union[None, bool, int, float, str]


class BaseDistribution:
    """The values that a parameter may have. Values are compared by their contents."""

    def single(self) -> bool:
        """Whether there is only one value."""
        raise NotImplementedError

    def contains(self, value: Any) -> bool:
        """Whether a parameter may have this value."""
        raise NotImplementedError

    def to_internal_repr(self, value: Any) -> float:
        """The value as a number: itself, or the index of a choice."""
        return float(value)

    def to_external_repr(self, internal: float) -> Any:
        """The value for a number that `to_internal_repr` returned."""
        return internal

    def _contains(self, internal: float) -> bool:
        return self.contains(self.to_external_repr(internal))

    def _asdict(self) -> Dict[str, Any]:
        return dict(self.__dict__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), repr(self._asdict())))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={each!r}" for name, each in self._asdict().items())
        return f"{type(self).__name__}({fields})"


class FloatDistribution(BaseDistribution):
    """A real number of [low, high], or with a `step` one of low, low + step, ..."""

    def __init__(self, low: float, high: float, log: bool = False,
                 step: Optional[float] = None) -> None:
        low, high = _number("low", low), _number("high", high)
        step = None if step is None else _number("step", step)
        _check_bounds(low, high, log)
        if step is not None and log:
            raise ValueError("a parameter has a step or a logarithmic scale, not both")
        if step is not None and not (step > 0 and math.isfinite((high - low) / step)):
            raise ValueError(f"step must be > 0, and high - low a number of steps that a "
                             f"float can hold: {step!r}")
        if step is not None and not math.isfinite(step):
            raise ValueError(f"step must be a finite number: {step!r}")
        self.low = low
        self.high = high if step is None else _last_step(low, high, step)
        self.log = bool(log)
        self.step = step

    def single(self) -> bool:
        """Whether there is only one value."""
        return self.low == self.high

    def contains(self, value: Any) -> bool:
        """Whether a parameter may have this value."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            return False
        if not self.low <= number <= self.high:  # Also for NaN.
            return False
        if self.step is None:
            return True
        count = (number - self.low) / self.step
        return abs(count - round(count)) < 1e-8

    def to_external_repr(self, internal: float) -> float:
        """The value itself."""
        return float(internal)


class IntDistribution(BaseDistribution):
    """A whole number: low, low + step, ... up to high. What is given as a fraction loses
    what follows the point."""

    def __init__(self, low: int, high: int, log: bool = False, step: int = 1) -> None:
        low, high, step = (_whole_bound(name, each) for name, each in (
            ("low", low), ("high", high), ("step", step)))
        _check_bounds(low, high, log)
        if step <= 0:
            raise ValueError(f"step must be > 0: {step}")
        if log and step != 1:
            raise ValueError("a parameter has a step or a logarithmic scale, not both")
        if (high - low) % step:
            lowered = low + (high - low) // step * step
            warnings.warn(f"the range [{low}, {high}] is no whole number of steps of "
                          f"{step}; it ends at {lowered}", stacklevel=3)
            high = lowered
        self.low = low
        self.high = high
        self.log = bool(log)
        self.step = step

    def single(self) -> bool:
        """Whether there is only one value."""
        return self.low == self.high

    def contains(self, value: Any) -> bool:
        """Whether a parameter may have this value."""
        try:
            number = int(value)
            if number != float(value):
                return False
        except (TypeError, ValueError, OverflowError):
            return False
        return self.low <= number <= self.high and (number - self.low) % self.step == 0

    def to_external_repr(self, internal: float) -> int:
        """The value itself."""
        return int(internal)


class CategoricalDistribution(BaseDistribution):
    """One of some choices without an order."""

    def __init__(self, choices: Sequence[Any]) -> None:
        try:
            listed = tuple(plain(each) for each in choices)
        except TypeError:
            raise TypeError(f"choices is a list: {choices!r}") from None
        if not listed:
            raise ValueError("choices must have at least one element")
        for each in listed:
            if not isinstance(each, (type(None), bool, int, float, str)):
                warnings.warn(f"a choice is None, a bool, a number or a text, so that it can "
                              f"be written down: {each!r}", stacklevel=3)
        self.choices: Tuple[Any, ...] = listed

    def single(self) -> bool:
        """Whether there is only one choice."""
        return len(self.choices) == 1

    def index_of(self, value: Any) -> int:
        """The place of a choice; ValueError if it is none."""
        given = plain(value)
        for i, each in enumerate(self.choices):
            if given is each or (_equals(given, each)
                                 and isinstance(given, bool) == isinstance(each, bool)):
                return i
        for i, each in enumerate(self.choices):  # As 1 is True to Python, and (1,) [1] to JSON.
            if is_same(given, each):
                return i
        raise ValueError(f"{value!r} is none of the choices {self.choices!r}")

    def contains(self, value: Any) -> bool:
        """Whether it is one of the choices."""
        try:
            self.index_of(value)
        except ValueError:
            return False
        return True

    def to_internal_repr(self, value: Any) -> float:
        """The index of the choice."""
        return self.index_of(value)

    def to_external_repr(self, internal: float) -> Any:
        """The choice at this index."""
        return self.choices[int(internal)]

    def _contains(self, internal: float) -> bool:
        return 0 <= int(internal) < len(self.choices)

    def __eq__(self, other: object) -> bool:
        """NaN is the same choice as another NaN, and a tuple the same as a list, which it
        is once it was written down."""
        return (isinstance(other, CategoricalDistribution)
                and len(self.choices) == len(other.choices)
                and all(map(is_same, self.choices, other.choices)))

    def __hash__(self) -> int:
        return hash((CategoricalDistribution, len(self.choices)))


class UniformDistribution(FloatDistribution):
    """An older name of FloatDistribution(low, high)."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high)


class LogUniformDistribution(FloatDistribution):
    """An older name of FloatDistribution(low, high, log=True)."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__(low, high, log=True)


class DiscreteUniformDistribution(FloatDistribution):
    """An older name of FloatDistribution(low, high, step=q)."""

    def __init__(self, low: float, high: float, q: float) -> None:
        super().__init__(low, high, step=q)

    @property
    def q(self) -> float:
        """The step."""
        assert self.step is not None
        return self.step


class IntUniformDistribution(IntDistribution):
    """An older name of IntDistribution(low, high, step=step)."""

    def __init__(self, low: int, high: int, step: int = 1) -> None:
        super().__init__(low, high, step=step)


class IntLogUniformDistribution(IntDistribution):
    """An older name of IntDistribution(low, high, log=True)."""

    def __init__(self, low: int, high: int, step: int = 1) -> None:
        super().__init__(low, high, log=True, step=step)


_NEWER = {kind.__name__: kind for kind in (
    FloatDistribution, IntDistribution, CategoricalDistribution, UniformDistribution,
    LogUniformDistribution, DiscreteUniformDistribution, IntUniformDistribution,
    IntLogUniformDistribution)}


def distribution_to_json(dist: BaseDistribution) -> str:
    """The distribution as JSON, which `json_to_distribution` reads. TypeError if JSON
    cannot say its choices."""
    try:
        return json.dumps({"name": type(dist).__name__, "attributes": {
            name: getattr(dist, name) for name in inspect.signature(type(dist)).parameters}})
    except TypeError:
        raise TypeError(f"a distribution is written down if it has choices that JSON can "
                        f"say: {dist}") from None


def json_to_distribution(json_str: str) -> BaseDistribution:
    """The distribution that JSON describes."""
    read = json.loads(json_str)
    if "type" in read:  # The short form.
        short = {"float": FloatDistribution, "int": IntDistribution,
                 "categorical": CategoricalDistribution}
        if read["type"] not in short:
            raise ValueError(f"there is no distribution {read['type']!r}, but "
                             f"{', '.join(short)}")
        given = {name: each for name, each in read.items() if name != "type"}
        if given.get("step", 1) is None:
            del given["step"]
        brief: BaseDistribution = short[read["type"]](**given)
        return brief
    kind = _NEWER.get(read.get("name"))
    if kind is None:
        raise ValueError(f"there is no distribution {read.get('name')!r}, but "
                         f"{', '.join(_NEWER)}")
    found: BaseDistribution = kind(**read["attributes"])
    return found


def check_distribution_compatibility(dist_old: BaseDistribution,
                                     dist_new: BaseDistribution) -> None:
    """Raises ValueError unless trials of one study may have both for one parameter.

    Ranges and steps may change from trial to trial; kinds, scales and choices may not.
    """
    if kind_of(dist_old) is not kind_of(dist_new):
        raise ValueError(f"a parameter keeps its kind in all trials: it was {dist_old}, "
                         f"and is {dist_new}; give one of them another name")
    if isinstance(dist_old, CategoricalDistribution):
        if dist_old != dist_new:
            raise ValueError(f"a parameter keeps its choices in all trials: they were "
                             f"{dist_old}, and are {dist_new}; give one of them another name")
    elif dist_old._asdict()["log"] != dist_new._asdict()["log"]:
        raise ValueError(f"a parameter keeps its scale in all trials: it was {dist_old}, "
                         f"and is {dist_new}; give one of them another name")


def as_external(value: Any, distribution: BaseDistribution) -> Any:
    """The value as Python has those of the distribution's kind: the choice, an int or a
    float, in the range or not. ValueError, TypeError or OverflowError for what is none."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[distribution.index_of(value)]
    # A whole number may be too long for the float of its internal form.
    return int(value) if isinstance(distribution, IntDistribution) else float(value)


def kind_of(distribution: BaseDistribution) -> type:
    """FloatDistribution, IntDistribution or CategoricalDistribution; TypeError for what
    is none of them."""
    for kind in (FloatDistribution, IntDistribution, CategoricalDistribution):
        if isinstance(distribution, kind):
            return kind
    raise TypeError(f"a distribution is a FloatDistribution, an IntDistribution or a "
                    f"CategoricalDistribution: {distribution!r}")


def _check_bounds(low: float, high: float, log: bool) -> None:
    try:
        is_finite = math.isfinite(low) and math.isfinite(high)
    except OverflowError:  # A whole number may be too long.
        is_finite = False
    if not is_finite:
        raise ValueError(f"low and high must be finite numbers that a float can hold: "
                         f"{low!r}, {high!r}")
    if not math.isfinite(float(high) - float(low)):
        raise ValueError(f"high - low must be a number that a float can hold: {low!r}, "
                         f"{high!r}")
    if low > high:
        raise ValueError(f"low must be <= high: {low!r} > {high!r}")
    if log and not low > 0:
        raise ValueError(f"a logarithmic scale needs low > 0: {low!r}")


def _number(name: str, value: Any) -> float:
    try:
        return float(plain(value))
    except TypeError:
        raise TypeError(f"{name} is a number: {value!r}") from None
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be a number that a float can hold: "
                         f"{value!r}") from None


def _whole_bound(name: str, value: Any) -> int:
    try:
        return int(plain(value))
    except TypeError:
        raise TypeError(f"{name} is a whole number: {value!r}") from None
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be a finite number: {value!r}") from None


def _last_step(low: float, high: float, step: float) -> float:
    first, last, width = (Decimal(repr(float(each))) for each in (low, high, step))
    count = int((last - first) / width + Decimal("1e-9"))
    end = first + count * width
    if abs(last - end) < width * Decimal("1e-8"):
        return float(high)
    warnings.warn(f"the range [{low}, {high}] is no whole number of steps of {step}; it "
                  f"ends at {end}", stacklevel=4)
    return float(end)


def is_same(one: Any, other: Any) -> bool:
    """Whether two choices are equal as JSON has them, with lists for tuples."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        found = {str(name): each for name, each in other.items()}
        return len(one) == len(other) and all(
            str(name) in found and is_same(each, found[str(name)]) for name, each in one.items())
    return one is other or _equals(one, other)


def _equals(one: Any, other: Any) -> bool:
    if one != one:
        return bool(other != other)  # NaN is the same choice as NaN.
    return bool(one == other)


__all__ = ["BaseDistribution", "CategoricalChoiceType", "CategoricalDistribution",
           "DiscreteUniformDistribution", "FloatDistribution", "IntDistribution",
           "IntLogUniformDistribution", "IntUniformDistribution",
           "LogUniformDistribution", "UniformDistribution",
           "check_distribution_compatibility", "distribution_to_json",
           "json_to_distribution"]
