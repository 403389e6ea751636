"""A callback for LightGBM. Optuna's searches with it are not served: each name says what to
use instead."""

from __future__ import annotations

from typing import Any

from .._base_trial import BaseTrial
from .._not_served import not_served
from .._states import StudyDirection
from ..exceptions import TrialPruned


class LightGBMPruningCallback:
    """Reports a metric of LightGBM every so many rounds, and raises TrialPruned if the trial
    is ended. Of lightgbm.cv it reports the mean of the metric."""

    order = 100  # After LightGBM's own callbacks.
    before_iteration = False

    def __init__(self, trial: BaseTrial, metric: str, valid_name: str = "valid_0",
                 report_interval: int = 1) -> None:
        self._trial = trial
        self._metric = metric
        self._data = valid_name
        self._interval = report_interval

    def __call__(self, env: Any) -> None:
        """Steps are rounds, from 0."""
        if (env.iteration + 1) % self._interval:
            return
        found = env.evaluation_result_list or []
        # Results of cv have the spread, too. What the data are called depends on the release.
        is_of_cv = bool(found) and len(found[0]) == 5
        names = [("cv_agg", f"valid {self._metric}"), ("cv_agg", self._metric),
                 ("valid", self._metric)] if is_of_cv else [(self._data, self._metric)]
        known = {(each[0], each[1]): each for each in found}
        result = next((known[each] for each in names if each in known), None)
        if result is None:
            raise ValueError(f"the training has no {self._metric!r} of {names[0][0]!r}, but "
                             f"{sorted(known)}")
        self._check_direction(bool(result[3]))
        self._trial.report(float(result[2]), env.iteration)
        if self._trial.should_prune():
            raise TrialPruned(f"Trial was pruned at iteration {env.iteration}.")

    def _check_direction(self, is_higher_better: bool) -> None:
        direction = getattr(getattr(self._trial, "study", None), "direction", None)
        if direction is not None and is_higher_better != (
                direction == StudyDirection.MAXIMIZE):
            raise ValueError(f"the study wants to {direction.name.lower()}, and larger values of "
                             f"{self._metric!r} are {'better' if is_higher_better else 'worse'}")


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"integration.lightgbm.{name} is not served: study.optimize searches the "
        "parameters of lightgbm.train, and LightGBMPruningCallback ends trainings early")


__all__ = ["LightGBMPruningCallback"]
