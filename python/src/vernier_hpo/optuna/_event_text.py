"""The events of a study as text, which is JSON, and what is said of other files."""

from __future__ import annotations

import json
import shlex
from typing import Any

from .._space import plain


def event_text(event: Any) -> str:
    """The text of an event. TypeError if JSON cannot say it."""
    try:
        return json.dumps(event, default=_number)
    except TypeError as error:
        raise TypeError(f"a study in a file has parameters and attributes that JSON can "
                        f"say: {error}") from None


def import_hint(path: str) -> str:
    """What to do with a file of Optuna's."""
    return (f"{path} is a file of Optuna's, which is left as it is: name another file. "
            f"`vernier import optuna {shlex.quote(path)} --yes` brings its studies into the "
            f"service, where vernier_hpo.load_study goes on with them; and Optuna itself goes "
            f"on with it, with this engine, by "
            f"sampler=vernier_hpo.integration.optuna.VernierSampler()")


def _number(value: Any) -> Any:
    """A number of numpy or another library as Python's own. TypeError for what is none."""
    found = plain(value) if getattr(value, "shape", ()) == () else value
    if not isinstance(found, (bool, int, float)):
        raise TypeError(f"{type(value).__name__} is nothing that JSON has: {value!r}")
    return found
