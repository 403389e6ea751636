"""Functions that draw, of those that say what is drawn."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Union

from ._chart import Chart, ParallelChart

AnyChart = Union[Chart, ParallelChart]


def drawn_by(find: Callable[[str], Any], draw: Callable[[AnyChart], Any],
             chart_of: Callable[..., AnyChart]) -> Callable[..., Any]:
    """A function with the arguments of `chart_of` that draws what that returns.

    `find` raises ImportError for the caller's name where the library that draws is not
    installed, before anything is computed.
    """
    @functools.wraps(chart_of)
    def drawing(*args: Any, **kwargs: Any) -> Any:
        find(chart_of.__name__)
        return draw(chart_of(*args, **kwargs))

    drawing.__signature__ = inspect.signature(chart_of).replace(  # type: ignore[attr-defined]
        return_annotation="Any")
    return drawing
