"""The value of a parameter that the user has given, and no sampler has chosen."""

from __future__ import annotations

import warnings
from typing import Any

from .distributions import BaseDistribution, as_external


def given_value(name: str, value: Any, distribution: BaseDistribution, stacklevel: int) -> Any:
    """The value as one of the distribution's kind. A number out of the range is taken with
    a warning, at `stacklevel` from here. ValueError for what no range could make possible,
    and for what is none of the choices."""
    try:
        taken = as_external(value, distribution)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} was fixed at {value!r}, which is no value of "
                         f"{distribution}") from None
    if not distribution.contains(value):
        warnings.warn(f"{name} was fixed at {value!r}, which is out of its range and taken "
                      f"nevertheless: {distribution}", stacklevel=stacklevel)
    return taken
