"""The events of a study as text, which is JSON."""

from __future__ import annotations

import json
from typing import Any

from .._space import plain


def event_text(event: Any) -> str:
    """The text of an event. TypeError if JSON cannot say it."""
    try:
        return json.dumps(event, default=_number)
    except TypeError as error:
        raise TypeError(f"a study in a file has parameters and attributes that JSON can "
                        f"say: {error}") from None


def _number(value: Any) -> Any:
    """A number of numpy or another library as Python's own. TypeError for what is none."""
    found = plain(value) if getattr(value, "shape", ()) == () else value
    if not isinstance(found, (bool, int, float)):
        raise TypeError(f"{type(value).__name__} is nothing that JSON has: {value!r}")
    return found
