"""Search spaces: what each parameter may be, and when it exists."""

from __future__ import annotations

import ast
import math
import operator
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._hints import NUMBER, with_hints

Value = Union[float, int, str, bool, None]
Condition = Mapping[str, Union[Value, Sequence[Value]]]
Space = Mapping[str, "Parameter"]


@dataclass(frozen=True)
class Parameter:
    """One dimension of a search space; use Float, Int, Discrete or Categorical.

    `default` is the first trial's value. `when={"optimizer": "sgd"}` makes the
    parameter conditional: it exists only while that other parameter has that value,
    or one of a list of values.
    """

    def check(self, name: str) -> None:
        """Raises ValueError, with the name, unless the description is sound."""
        raise NotImplementedError

    def middle(self) -> Value:
        """A value in the middle of the range, as the search sees it."""
        raise NotImplementedError

    def contains(self, value: Value) -> bool:
        """Whether a trial may have this value."""
        raise NotImplementedError


def plain(value: Any) -> Any:
    """A scalar of numpy or another library as Python's own number; others as they are."""
    item = getattr(value, "item", None)
    if callable(item) and not isinstance(value, (str, int, float)):
        try:
            return item()
        except (TypeError, ValueError):
            return value  # An array, which is refused by name later.
    return value


def json_value(name: str, parameter: Optional[Parameter], value: Value) -> Any:
    """A value of a parameter, or of one that is not known, as the service reads it.
    ValueError, with the name, for what JSON cannot say."""
    given = plain(value)
    if isinstance(parameter, Categorical):
        return parameter.text_of(given)
    if given is None or isinstance(given, bool):
        return text_of_choice(given)
    if not isinstance(given, str) and not _is_number(given):
        raise ValueError(f"{name} cannot be {given!r}: a value is a number that a float can "
                         f"hold, a text, True, False or None")
    return given


def finite(name: str, value: Any) -> float:
    """An argument that is a number which JSON has. ValueError with its name otherwise."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} is a finite number: {value!r}")
    return number


def whole(name: str, value: Any) -> int:
    """An argument that counts something. TypeError with its name otherwise."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number: {value!r}") from None


def _normalize(parameter: "Parameter", *fields: str) -> None:
    for field in fields:
        object.__setattr__(parameter, field, plain(getattr(parameter, field)))


def _list_of(values: Any) -> Any:
    """The values as a list. What has no order, or is none, stays and is refused later."""
    if isinstance(values, (str, bytes, set, frozenset, dict)):
        return values
    try:
        return [plain(each) for each in values]
    except TypeError:
        return values


def _check_default(name: str, parameter: Parameter, default: Value, is_set: bool) -> None:
    if is_set and not parameter.contains(default):
        raise ValueError(f"{name}: the default is not in the range: {default!r}")


def _is_number(value: Any) -> bool:
    """A finite number that the service, whose numbers are doubles, can hold as it is."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value) and float(value) == value
    except OverflowError:
        return False


@dataclass(frozen=True)
class Float(Parameter):
    """A real number of [low, high].

    `log` searches the exponent: 1e-5 to 1 is five equal decades. `reverse_log` is
    dense near the top, for values like 0.9, 0.99, 0.999. Both need low > 0.
    """

    low: float
    high: float
    log: bool = False
    reverse_log: bool = False
    default: Optional[float] = None
    when: Optional[Condition] = None

    def __post_init__(self) -> None:
        _normalize(self, "low", "high", "default")

    def check(self, name: str) -> None:
        _check_range(name, self.low, self.high, self.log or self.reverse_log)
        if self.log and self.reverse_log:
            raise ValueError(f"{name}: log and reverse_log exclude each other")
        _check_default(name, self, self.default, self.default is not None)

    def middle(self) -> float:
        if self.log:
            return math.sqrt(self.low) * math.sqrt(self.high)
        if self.reverse_log:
            return self.low + self.high - math.sqrt(self.low) * math.sqrt(self.high)
        return self.low + (self.high - self.low) / 2

    def contains(self, value: Value) -> bool:
        return _is_number(value) and self.low <= float(value) <= self.high  # type: ignore


@dataclass(frozen=True)
class Int(Parameter):
    """A whole number from low to high, both included.

    `log` and `reverse_log` are as in Float, and need low > 0.
    """

    low: int
    high: int
    log: bool = False
    reverse_log: bool = False
    default: Optional[int] = None
    when: Optional[Condition] = None

    def __post_init__(self) -> None:
        _normalize(self, "low", "high", "default")

    def check(self, name: str) -> None:
        for bound in (self.low, self.high):
            if not _is_number(bound) or bound != int(bound) or abs(bound) > 2 ** 53:
                raise ValueError(
                    f"{name}: the bounds of an Int are whole numbers within 2^53: "
                    f"{bound!r}")
        _check_range(name, self.low, self.high, self.log or self.reverse_log)
        if self.log and self.reverse_log:
            raise ValueError(f"{name}: log and reverse_log exclude each other")
        _check_default(name, self, self.default, self.default is not None)

    def middle(self) -> int:
        as_float = Float(self.low, self.high, self.log, self.reverse_log)
        return min(self.high, max(self.low, round(as_float.middle())))

    def contains(self, value: Value) -> bool:
        return (_is_number(value) and self.low <= value <= self.high  # type: ignore
                and value == int(value))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Discrete(Parameter):
    """One of some numbers that have an order, such as batch sizes [16, 32, 64].

    `values` rise. `log` searches the exponent, as in Float, and needs values > 0.
    """

    values: Sequence[float]
    log: bool = False
    default: Optional[float] = None
    when: Optional[Condition] = None

    def __post_init__(self) -> None:
        _normalize(self, "default")
        object.__setattr__(self, "values", _list_of(self.values))

    def check(self, name: str) -> None:
        if (not isinstance(self.values, list) or not self.values or
                not all(_is_number(each) for each in self.values)):
            raise ValueError(
                f"{name}: a Discrete needs a list of finite numbers, whole ones beyond "
                f"2^53 only if a float can hold them: {self.values!r}")
        if list(self.values) != sorted(set(self.values)):
            raise ValueError(f"{name}: the values must rise: {list(self.values)}")
        if self.log and self.values[0] <= 0:
            raise ValueError(f"{name}: log needs values > 0: {self.values[0]!r}")
        _check_default(name, self, self.default, self.default is not None)

    def middle(self) -> float:
        return self.values[len(self.values) // 2]

    def contains(self, value: Value) -> bool:
        return _is_number(value) and value in self.values


@dataclass(frozen=True)
class Categorical(Parameter):
    """One of some choices without an order: texts, or True, False, None and numbers.

    The service keeps texts, which its other clients see; here other choices come back
    as they were given.
    """

    choices: Sequence[Value]
    default: Any = None
    when: Optional[Condition] = None

    def __post_init__(self) -> None:
        _normalize(self, "default")
        object.__setattr__(self, "choices", _list_of(self.choices))

    def check(self, name: str) -> None:
        if not isinstance(self.choices, list) or not self.choices:
            raise ValueError(
                f"{name}: a Categorical needs a list of choices: {self.choices!r}")
        for each in self.choices:
            if not isinstance(each, (str, bool, int, float, type(None))):
                raise ValueError(
                    f"{name}: a choice is a text, a number, True, False or None: {each!r}; "
                    f"give anything else a name, and look it up in the objective")
        for text, count in Counter(map(text_of_choice, self.choices)).items():
            if count > 1:
                raise ValueError(f"{name}: two choices are written {text!r}")
        _check_default(name, self, self.default, self.default is not None)

    def middle(self) -> Value:
        return self.choices[0]

    def contains(self, value: Value) -> bool:
        return any(_is_same(value, each) for each in self.choices)

    def text_of(self, value: Value) -> str:
        """How the service writes the choice that equals this value: 1 is 1.0."""
        return next((text_of_choice(each) for each in self.choices
                     if _is_same(value, each)), text_of_choice(value))

    def choice_of(self, text: str) -> Value:
        """The choice that the service knows by this text."""
        for each in self.choices:
            if text_of_choice(each) == text:
                return each
        return text


for _kind in (Float, Int):
    _kind.__init__ = with_hints(**NUMBER)(_kind.__init__)  # type: ignore[method-assign]


def stepped(low: float, high: float, step: float, log: bool = False,
            default: Optional[float] = None,
            when: Optional[Condition] = None) -> Discrete:
    """low, low + step, ... up to high: Optuna's `step`."""
    low, high, step = plain(low), plain(high), plain(step)
    if not all(map(_is_number, (low, high, step))) or step <= 0 or high < low:
        raise ValueError(f"stepped needs step > 0 and low <= high: {low}, {high}, {step}")
    # In decimals, as they are written: 0.1 + 2 * 0.1 is 0.3, and -0.3 + 3 * 0.1 is 0.
    first, last, width = (Decimal(repr(each)) for each in (low, high, step))
    # A last step that misses the end by rounding alone, as 1 / 3 does three times.
    count = int((last - first) / width + Decimal("1e-9")) + 1
    if count > 1000:
        raise ValueError(f"stepped would have {count} values; use Float or Int")
    is_whole = isinstance(low, int) and isinstance(step, int)
    places = [first + i * width for i in range(count)]
    if abs(last - places[-1]) < width * Decimal("1e-9"):
        places[-1] = last
    kind = int if is_whole else float
    return Discrete([kind(each) for each in places], log=log, default=default, when=when)


def _is_same(value: Value, choice: Value) -> bool:
    if value != value:  # NaN, as the mark of a missing value.
        return choice != choice
    return value == choice and isinstance(value, bool) == isinstance(choice, bool)


def text_of_choice(choice: Value) -> str:
    """How the service writes a choice: texts as they are, others as Python does."""
    return choice if isinstance(choice, str) else repr(choice)


def choice_of_literal(text: str) -> Value:
    """The choice that is no text and is written so, or else the text."""
    if text in ("nan", "inf", "-inf"):
        return float(text)
    try:
        value: Value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    is_choice = isinstance(value, (bool, int, float, type(None)))
    return value if is_choice and text_of_choice(value) == text else text


def literal_texts(choices: Sequence[Value]) -> List[str]:
    """Of the choices the texts that choice_of_literal takes for something else."""
    return [each for each in choices
            if isinstance(each, str) and not isinstance(choice_of_literal(each), str)]


def _check_range(name: str, low: float, high: float, needs_positive: bool) -> None:
    if not (_is_number(low) and _is_number(high)):
        raise ValueError(f"{name}: the bounds must be finite numbers: {low!r}, {high!r}")
    if low > high:
        raise ValueError(f"{name}: low must be <= high: {low!r} > {high!r}")
    if needs_positive and low <= 0:
        raise ValueError(f"{name}: a log scale needs low > 0: {low!r}")
    if not math.isfinite(float(high) - float(low)):
        raise ValueError(f"{name}: high - low must be a number that a float can hold: "
                         f"{low!r}, {high!r}")


def condition_of(parameter: Parameter) -> Optional[Tuple[str, List[Value]]]:
    """The parent's name and the values for which the parameter exists."""
    when: Optional[Condition] = getattr(parameter, "when", None)
    if not when:
        return None
    if len(when) != 1:
        raise ValueError(f"when names one other parameter: {dict(when)!r}")
    (parent, values), = when.items()
    if isinstance(values, (list, tuple, set, frozenset, range)):
        return parent, [plain(each) for each in values]
    return parent, [plain(values)]


def check_space(space: Space) -> Dict[str, Parameter]:
    """A copy of the space in its order; raises ValueError for what is not sound."""
    if not isinstance(space, Mapping) or not space:
        raise ValueError("the space is a dict of at least one parameter by its name")
    for name, parameter in space.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"a parameter's name is a text: {name!r}")
        if not isinstance(parameter, Parameter):
            raise ValueError(
                f"{name}: not a parameter: {parameter!r}; use vn.Float(low, high), "
                f"Int, Discrete or Categorical")
        parameter.check(name)
        _check_condition(space, name, parameter)
    return dict(space)


def _check_condition(space: Space, name: str, parameter: Parameter) -> None:
    condition = condition_of(parameter)
    seen = [name]
    while condition is not None:
        parent, values = condition
        if parent not in space:
            raise ValueError(f"{seen[-1]}: when names {parent!r}, which is no parameter; "
                             f"there are {', '.join(space)}")
        if parent in seen:
            raise ValueError(f"{name}: its conditions go round in a circle: {parent}")
        if isinstance(space[parent], Float):
            raise ValueError(f"{seen[-1]}: a condition needs an Int, a Discrete or a "
                             f"Categorical: {parent!r} is a Float")
        for value in values:
            if not space[parent].contains(value):
                raise ValueError(f"{seen[-1]}: {parent!r} can never be {value!r}")
        seen.append(parent)
        condition = condition_of(space[parent])


def is_active(space: Space, name: str, values: Mapping[str, Value]) -> bool:
    """Whether the parameter exists, given the values of those above it."""
    condition = condition_of(space[name])
    if condition is None:
        return True
    parent, allowed = condition
    return (parent in values and is_active(space, parent, values) and
            any(values[parent] == each for each in allowed))


def with_defaults(space: Space, point: Mapping[str, Value],
                  *, fills_middles: bool = False) -> Dict[str, Value]:
    """The point, and the defaults of the parameters that it makes active and leaves out;
    without a default the middle of the range if `fills_middles`.

    Nothing that the point has is checked but its form: TypeError if it is no dict.
    """
    if not isinstance(point, Mapping):
        raise TypeError(f"a point is a dict of values by parameter, such as "
                        f"{{{next(iter(space), 'x')!r}: VALUE}}: {point!r}")
    values: Dict[str, Value] = {name: plain(value) for name, value in point.items()}
    for name in _parents_first(space):
        if name in values or not is_active(space, name, values):
            continue
        default = getattr(space[name], "default", None)
        if default is not None:
            values[name] = default
        elif fills_middles:
            values[name] = space[name].middle()
    return values


def complete_point(space: Space, point: Mapping[str, Value],
                   *, fills_middles: bool = False) -> Dict[str, Value]:
    """The values of all parameters that the point makes active, in the space's order.

    What is left out is as `with_defaults` has it. ValueError if something is missing, too
    much or out of its range.
    """
    values = with_defaults(space, point, fills_middles=fills_middles)
    for name in point:
        if name not in space:
            raise ValueError(f"the space has no parameter {name!r}, but {', '.join(space)}")
    for name in _parents_first(space):
        if not is_active(space, name, values):
            if name in values:
                raise ValueError(f"{name} does not exist with these values of the others")
        elif name not in values:
            raise ValueError(f"{name} is missing, and has no default")
        elif not space[name].contains(values[name]):
            raise ValueError(f"{name} cannot be {values[name]!r}: {space[name]}")
    return {name: values[name] for name in space if name in values}


def _parents_first(space: Space) -> List[str]:
    order: List[str] = []

    def add(name: str) -> None:
        if name in order:
            return
        condition = condition_of(space[name])
        if condition is not None:
            add(condition[0])
        order.append(name)

    for name in space:
        add(name)
    return order
