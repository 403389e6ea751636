"""Callbacks of training libraries, samplers and a search, under Optuna's names.

The callbacks are those of `vernier_hpo.integration`, and each needs its library.
"""

from __future__ import annotations

import importlib
from typing import Any, Optional

from .._base_trial import BaseTrial
from .._not_served import not_served
from ..exceptions import NotServedError, TrialPruned
from . import lightgbm, sklearn
from ._samplers import BoTorchSampler, PyCmaSampler, SkoptSampler
from .lightgbm import LightGBMPruningCallback


def _callback(library: str, trial: Any, *args: Any) -> Any:
    module = importlib.import_module(f"vernier_hpo.integration.{library}")
    return module.VernierCallback(_FromZero(trial), *args)


class _FromZero(BaseTrial):
    """A trial whose steps begin with 0, as Optuna's callbacks count them: ours count from 1."""

    def __init__(self, trial: Any) -> None:
        self._trial = trial
        self.number = trial.number

    def report(self, value: float, step: int) -> None:
        """Reports the value, a step earlier."""
        self._trial.report(value, step - 1)

    def should_prune(self) -> bool:
        """Whether the trial is to end early."""
        return bool(self._trial.should_prune())


def XGBoostPruningCallback(trial: BaseTrial, observation_key: str) -> Any:
    """vernier_hpo.integration.xgboost.VernierCallback(trial, observation_key)."""
    return _callback("xgboost", trial, observation_key)


def KerasPruningCallback(trial: BaseTrial, monitor: str, interval: int = 1) -> Any:
    """vernier_hpo.integration.keras.VernierCallback(trial, monitor)."""
    if interval != 1:
        raise NotServedError("KerasPruningCallback(interval=...) is not served: each epoch "
                             "is reported; MedianPruner(interval_steps=...) judges some")
    return _callback("keras", trial, monitor)


TFKerasPruningCallback = KerasPruningCallback


def PyTorchLightningPruningCallback(trial: BaseTrial, monitor: str) -> Any:
    """vernier_hpo.integration.lightning.VernierCallback(trial, monitor)."""
    return _callback("lightning", trial, monitor)


class CatBoostPruningCallback:
    """Reports a metric of CatBoost after each iteration; `check_pruned` after the
    training raises TrialPruned if the trial was ended."""

    def __init__(self, trial: BaseTrial, metric: str,
                 eval_set_index: Optional[int] = None) -> None:
        self._trial = trial
        self._metric = metric
        self._set = "validation" if eval_set_index is None else f"validation_{eval_set_index}"
        self._message = ""

    def after_iteration(self, info: Any) -> bool:
        """Whether the training goes on. Steps are iterations, from 0."""
        step = info.iteration - 1
        metrics = info.metrics.get(self._set)
        if metrics is None or self._metric not in metrics:
            raise ValueError(f"the training has no {self._set!r} with {self._metric!r}: "
                             f"{ {name: list(each) for name, each in info.metrics.items()} }")
        self._trial.report(float(metrics[self._metric][-1]), step)
        if self._trial.should_prune():
            self._message = f"the trial was pruned at iteration {step}"
        return not self._message

    def check_pruned(self) -> None:
        """Raises TrialPruned after an early end."""
        if self._message:
            raise TrialPruned(self._message)


def __getattr__(name: str) -> Any:
    if name == "OptunaSearchCV":
        return sklearn.OptunaSearchCV
    raise not_served(
        name, f"integration.{name} is not served: there are {', '.join(__all__)}, and "
        f"vernier_hpo.integration has callbacks of our own and a search for scikit-learn")


__all__ = ["BoTorchSampler", "CatBoostPruningCallback", "KerasPruningCallback",
           "LightGBMPruningCallback", "OptunaSearchCV", "PyCmaSampler",
           "PyTorchLightningPruningCallback", "SkoptSampler", "TFKerasPruningCallback",
           "XGBoostPruningCallback", "lightgbm", "sklearn"]
