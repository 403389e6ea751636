"""Arguments by place that Optuna takes by name today, with a warning."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, Sequence, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def takes_older_places(*names: str) -> Callable[[Function], Function]:
    """Has a function with named arguments take these by their places, too."""
    def made(function: Function) -> Function:
        @functools.wraps(function)
        def called(*args: Any, **named: Any) -> Any:
            if args:
                warn_of_places(function.__name__, names, args)
                twice = sorted(set(names[:len(args)]) & set(named))
                if twice:
                    raise TypeError(f"{function.__name__} has two values of {twice[0]}")
            return function(**dict(zip(names, args)), **named)
        return cast(Function, called)
    return made


def warn_of_places(function: str, names: Sequence[str], args: Sequence[Any]) -> None:
    """Warns whoever has called the caller of arguments by place. TypeError if there are
    more than names."""
    if len(args) > len(names):
        raise TypeError(f"{function} takes at most {', '.join(names)} by place: {args!r}")
    shown = ", ".join(f"{name}=..." for name in names[:len(args)])
    warnings.warn(f"{function}: give {shown} by name, as Optuna wants it",
                  FutureWarning, stacklevel=3)
