"""How much each parameter matters for the results of a study.

The shares are those of the engine's model (docs/insights.md), whichever of Optuna's
evaluators is named; a class of your own that derives from `BaseImportanceEvaluator` is
asked as in Optuna.
"""

from __future__ import annotations

import abc
import math
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._frozen_trial import FrozenTrial
from ._not_served import not_served
from ._result_model import ResultModel
from ._states import StudyDirection, TrialState
from .search_space import intersection_search_space

Target = Callable[[FrozenTrial], float]


class BaseImportanceEvaluator(abc.ABC):
    """How importances are found: derive from it to find them yourself."""

    @abc.abstractmethod
    def evaluate(self, study: Any, params: Optional[List[str]] = None, *,
                 target: Optional[Target] = None) -> Dict[str, float]:
        """The importance of each parameter, the greatest first."""


class _ModelEvaluator(BaseImportanceEvaluator):
    """Asks the engine's model."""

    def evaluate(self, study: Any, params: Optional[List[str]] = None, *,
                 target: Optional[Target] = None) -> Dict[str, float]:
        """The share of the variation that each parameter explains by itself."""
        names = _names(study, params)
        if not names:
            return {}
        trials, values = finite_results(study, target)
        with ResultModel(trials, values, goal_of(study, target)) as model:
            shares = model.shares(names)
        return dict(sorted(shares.items(), key=lambda each: -each[1]))


class FanovaImportanceEvaluator(_ModelEvaluator):
    """The engine's model; the settings are those of Optuna's forest and do nothing."""

    def __init__(self, *, n_trees: int = 64, max_depth: int = 64,
                 seed: Optional[int] = None) -> None:
        pass


class MeanDecreaseImpurityImportanceEvaluator(_ModelEvaluator):
    """The engine's model; the settings are those of Optuna's forest and do nothing."""

    def __init__(self, *, n_trees: int = 64, max_depth: int = 64,
                 seed: Optional[int] = None) -> None:
        pass


class PedAnovaImportanceEvaluator(_ModelEvaluator):
    """The engine's model of all results; the settings of Optuna's one do nothing."""

    def __init__(self, *, target_quantile: float = 0.1, region_quantile: float = 1.0,
                 baseline_quantile: Optional[float] = None,
                 evaluate_on_local: bool = True) -> None:
        pass


def get_param_importances(study: Any, *,
                          evaluator: Optional[BaseImportanceEvaluator] = None,
                          params: Optional[List[str]] = None,
                          target: Optional[Target] = None,
                          normalize: bool = True) -> Dict[str, float]:
    """The importance of each parameter that all completed trials have, or of `params`,
    the greatest first.

    They add up to 1, unless `normalize=False` leaves out what several parameters explain
    only together. While there are too few results for a model, all are equal, and the log
    says so. ValueError with fewer than two completed trials, and for several objectives
    without `target`.
    """
    if evaluator is None:
        evaluator = FanovaImportanceEvaluator()
    if not isinstance(evaluator, BaseImportanceEvaluator):
        raise TypeError(f"evaluator derives from BaseImportanceEvaluator: {evaluator!r}")
    found = evaluator.evaluate(study, params=params, target=target)
    if not normalize:
        return found
    total = sum(found.values())
    return {name: each / total if total else 1 / len(found) for name, each in found.items()}


def goal_of(study: Any, target: Optional[Target]) -> str:
    """Which values are better: the study's own, and of another target the small ones."""
    is_maximized = target is None and study.direction == StudyDirection.MAXIMIZE
    return "maximize" if is_maximized else "minimize"


def finite_results(study: Any, target: Optional[Target]
                   ) -> Tuple[List[FrozenTrial], List[float]]:
    """The completed trials whose target, or only objective, is finite, and these values.
    ValueError for several objectives without a target."""
    if target is None and len(study.directions) > 1:
        raise ValueError("the study has several objectives: give target, such as "
                         "target=lambda trial: trial.values[0]")
    trials = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    values = [float(each.value if target is None else target(each)) for each in trials]
    found = [(trial, value) for trial, value in zip(trials, values) if math.isfinite(value)]
    return [trial for trial, _ in found], [value for _, value in found]


def _names(study: Any, params: Optional[List[str]]) -> List[str]:
    """The parameters to assess. TypeError and ValueError as get_param_importances."""
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    if len(complete) < 2:
        raise ValueError(f"importances need two completed trials or more, and there "
                         f"{'is one' if complete else 'are none'}")
    if params is None:
        return list(intersection_search_space(complete))
    if not isinstance(params, (list, tuple)) or not all(
            isinstance(each, str) for each in params):
        raise TypeError(f"params is a list of names: {params!r}")
    if not any(set(params) <= set(each.params) for each in complete):
        raise ValueError(f"no completed trial has all of {list(params)}")
    return list(params)


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"importance.{name} is not served: there are {', '.join(__all__)}")


__all__ = ["BaseImportanceEvaluator", "FanovaImportanceEvaluator",
           "MeanDecreaseImpurityImportanceEvaluator", "PedAnovaImportanceEvaluator",
           "get_param_importances"]
