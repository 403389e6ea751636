"""Whether two search spaces are the same, and in what they differ."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Tuple

from ._space import Categorical, Parameter, Space, condition_of, text_of_choice
from .errors import FailedPreconditionError


def checked_same(name: str, stored: Space, given: Space) -> Dict[str, Parameter]:
    """The given parameters, which know choices and defaults, in the stored order.

    The order of parameters and of choices says nothing. FailedPreconditionError that
    names what differs.
    """
    differences = differences_of(stored, given)
    if differences:
        raise FailedPreconditionError(
            f"the study {name} has another search space: {'; '.join(differences)}; go on "
            f"with its space, or give the new study another name")
    return {each: given[each] for each in stored}


def differences_of(stored: Space, given: Space) -> List[str]:
    """What differs, in words, a parameter each."""
    found = [f"it has {name!r}, which is not given" for name in stored if name not in given]
    found += [f"it has no {name!r}" for name in given if name not in stored]
    for name in stored:
        if name not in given:
            continue
        if _form(stored, name) != _form(given, name):
            found.append(f"{name!r} is {_shown(stored[name])} there, and "
                         f"{_shown(given[name])} here")
    return found


def _form(space: Space, name: str) -> Tuple[Any, ...]:
    """All of a parameter that the service keeps, whatever the order."""
    parameter = space[name]
    fields: List[Any] = [type(parameter).__name__]
    for field in ("low", "high", "values"):
        value = getattr(parameter, field, None)
        fields.append([float(each) for each in value] if isinstance(value, list)
                      else None if value is None else float(value))
    if isinstance(parameter, Categorical):
        fields.append(sorted(text_of_choice(each) for each in parameter.choices))
    fields += [bool(getattr(parameter, field, False)) for field in ("log", "reverse_log")]
    condition = condition_of(parameter)
    if condition is not None:
        parent, values = condition
        fields.append((parent, sorted(_condition_text(space[parent], each)
                                      for each in values)))
    return tuple(fields)


def _condition_text(parent: Parameter, value: Any) -> str:
    return (parent.text_of(value) if isinstance(parent, Categorical)
            else repr(float(value)))


def _shown(parameter: Parameter) -> str:
    """As people write it: without what is as it is when nothing is said."""
    parts = []
    for field in dataclasses.fields(parameter):
        value = getattr(parameter, field.name)
        if field.name == "default" or (
                field.default is not dataclasses.MISSING and value == field.default):
            continue
        # As choices 1.0 and 1 differ.
        text = repr(value) if field.name == "choices" else _text(value)
        parts.append(text if field.default is dataclasses.MISSING
                     else f"{field.name}={text}")
    return f"{type(parameter).__name__}({', '.join(parts)})"


def _text(value: Any) -> str:
    """0.0 of the service is 0 of the program."""
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)
