"""Crossovers, which the engine does not need: settings of NSGAIISampler that do nothing."""

from __future__ import annotations

from typing import Any

from .._not_served import not_served


class BaseCrossover:
    """How two points make a third one. The engine asks none, one of your own included."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Takes the settings of Optuna's."""


class BLXAlphaCrossover(BaseCrossover):
    """Does nothing."""


class SBXCrossover(BaseCrossover):
    """Does nothing."""


class SPXCrossover(BaseCrossover):
    """Does nothing."""


class UNDXCrossover(BaseCrossover):
    """Does nothing."""


class UniformCrossover(BaseCrossover):
    """Does nothing."""


class VSBXCrossover(BaseCrossover):
    """Does nothing."""


def __getattr__(name: str) -> Any:
    raise not_served(name, f"samplers.nsgaii.{name} is not served: NSGAIISampler is Vernier's "
                           f"engine, which needs no settings")


__all__ = ["BLXAlphaCrossover", "BaseCrossover", "SBXCrossover", "SPXCrossover",
           "UNDXCrossover", "UniformCrossover", "VSBXCrossover"]
