"""Where the values of a parameter are drawn."""

from __future__ import annotations

from typing import Any, List, Sequence

from .._frozen_trial import FrozenTrial
from ..distributions import CategoricalDistribution
from ._chart import Axis


class ParameterAxis:
    """The axis of one parameter: of numbers if all its values are such, or of choices."""

    def __init__(self, name: str, trials: Sequence[FrozenTrial]) -> None:
        """`trials` have the parameter."""
        self._labels: List[str] = []
        distributions = [each.distributions[name] for each in trials]
        values = [each.params[name] for each in trials]
        is_log = any(getattr(each, "log", False) for each in distributions)
        if not all(_is_number(each) for each in values):
            choices = [choice for each in distributions[-1:]
                       if isinstance(each, CategoricalDistribution)
                       for choice in each.choices]
            self._labels = list(dict.fromkeys(map(str, [*choices, *values])))
        self.axis = Axis(name, is_log, self._labels)

    def place(self, value: Any) -> float:
        """On the axis: the value itself, or the position of a choice."""
        return float(self._labels.index(str(value)) if self._labels else value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
