"""Rules that end a study: not served. Each name says what to use instead."""

from typing import Any

from ._not_served import not_served


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"terminator.{name} is not served: "
        "study.stop(), MaxTrialsCallback and optimize(timeout=...) end a study")


__all__ = []
