"""What readers of results ask of a study or a job: tables, plots and pages."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Protocol, Tuple

from ._frozen_trial import FrozenTrial
from ._space import Parameter


class Tuned(Protocol):
    """Trials and their metrics, whoever runs them."""

    @property
    def name(self) -> str:
        """Its name in its project."""

    @property
    def metrics(self) -> Dict[str, str]:
        """The goals, "minimize" or "maximize", by metric."""

    @property
    def space(self) -> Mapping[str, Parameter]:
        """The parameters by name; empty if they are not known."""

    @property
    def trials(self) -> List[FrozenTrial]:
        """All trials by number."""

    def get_insights(self, contours: Iterable[Tuple[str, str]] = (),
                     metric: str = "") -> Dict[str, Any]:
        """What the service's model says about the results."""


def names_of(tuned: Tuned, trials: Iterable[FrozenTrial]) -> List[str]:
    """The parameters in their order; of a job without its space, those of its trials."""
    return list(tuned.space) or list(dict.fromkeys(
        name for trial in trials for name in trial.params))
