"""Pruners: rules that end a trial early by what it and others have reported."""

from __future__ import annotations

import math
import zlib
from typing import Any, List, Mapping, Optional, Sequence, Union

from .._space import whole
from ._best import best_of
from ._frozen_trial import FrozenTrial
from ._not_served import not_served
from ._record import StudyRecord
from ._signed_rank import p_value_of_worse
from ._states import StudyDirection, TrialState


class BasePruner:
    """A rule: derive from it to make one of your own."""

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether the trial is to end now."""
        raise NotImplementedError

    def __str__(self) -> str:
        return type(self).__name__


class NopPruner(BasePruner):
    """Ends no trial."""

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """False."""
        return False


class PercentilePruner(BasePruner):
    """Ends a trial whose best report so far is worse than this percentile of what the
    completed trials had reported at the same step."""

    def __init__(self, percentile: float, n_startup_trials: int = 5, n_warmup_steps: int = 0,
                 interval_steps: int = 1, *, n_min_trials: int = 1) -> None:
        if not 0 <= percentile <= 100:
            raise ValueError(f"percentile is from 0 to 100: {percentile}")
        self._percentile = percentile
        self._n_startup_trials = _at_least("n_startup_trials", n_startup_trials, 0)
        self._n_warmup_steps = _at_least("n_warmup_steps", n_warmup_steps, 0)
        self._interval_steps = _at_least("interval_steps", interval_steps, 1)
        self._n_min_trials = _at_least("n_min_trials", n_min_trials, 1)

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether it is worse than the percentile."""
        step = trial.last_step
        complete = _completed(study)
        if step is None or not complete or len(complete) < self._n_startup_trials or (
                not _is_due(trial, step, self._n_warmup_steps, self._interval_steps)):
            return False
        sign = _sign(study)
        mine = [sign * each for each in trial.intermediate_values.values()
                if not math.isnan(each)]
        if not mine:
            return True
        reported = [sign * each.intermediate_values[step] for each in complete
                    if step in each.intermediate_values]
        others = [each for each in reported if not math.isnan(each)]
        if not others or len(reported) < self._n_min_trials:
            return False
        return min(mine) > _percentile_of(others, self._percentile)


class MedianPruner(PercentilePruner):
    """Ends a trial whose best report so far is worse than the median of what the
    completed trials had reported at the same step."""

    def __init__(self, n_startup_trials: int = 5, n_warmup_steps: int = 0,
                 interval_steps: int = 1, *, n_min_trials: int = 1) -> None:
        super().__init__(50, n_startup_trials, n_warmup_steps, interval_steps,
                         n_min_trials=n_min_trials)


class ThresholdPruner(BasePruner):
    """Ends a trial whose last report is NaN, below `lower` or above `upper`."""

    def __init__(self, lower: Optional[float] = None, upper: Optional[float] = None,
                 n_warmup_steps: int = 0, interval_steps: int = 1) -> None:
        if lower is None and upper is None:
            raise TypeError("ThresholdPruner needs lower, upper or both")
        self._lower = -math.inf if lower is None else float(lower)
        self._upper = math.inf if upper is None else float(upper)
        if self._lower > self._upper:
            raise ValueError(f"lower must be <= upper: {lower} > {upper}")
        self._n_warmup_steps = _at_least("n_warmup_steps", n_warmup_steps, 0)
        self._interval_steps = _at_least("interval_steps", interval_steps, 1)

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether it is outside of the bounds."""
        step = trial.last_step
        if step is None or not _is_due(trial, step, self._n_warmup_steps,
                                       self._interval_steps):
            return False
        return not self._lower <= trial.intermediate_values[step] <= self._upper


class PatientPruner(BasePruner):
    """Asks another pruner (None: ends the trial) once the best of the last `patience` + 1
    reports is worse than the best before them by more than `min_delta`."""

    def __init__(self, wrapped_pruner: Optional[BasePruner], patience: int,
                 min_delta: float = 0.0) -> None:
        self._wrapped_pruner = wrapped_pruner
        self._patience = _at_least("patience", patience, 0)
        if min_delta < 0:
            raise ValueError(f"min_delta must be >= 0: {min_delta}")
        self._min_delta = min_delta

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether it has waited in vain, and the other pruner agrees."""
        steps = sorted(trial.intermediate_values)
        if len(steps) <= self._patience + 1:
            return False
        sign = _sign(study)
        values = [sign * trial.intermediate_values[each] for each in steps]
        before = [each for each in values[:-self._patience - 1] if not math.isnan(each)]
        since = [each for each in values[-self._patience - 1:] if not math.isnan(each)]
        if not before or not since or min(before) + self._min_delta >= min(since):
            return False
        return self._wrapped_pruner is None or self._wrapped_pruner.prune(study, trial)


class SuccessiveHalvingPruner(BasePruner):
    """Asynchronous successive halving: a trial goes on beyond a rung if it is among the
    best 1/`reduction_factor` of those that have come to it.

    The first rung is at `min_resource` steps times the factor to the power of
    `min_early_stopping_rate`, and each next one at `reduction_factor` times as many.
    """

    def __init__(self, min_resource: Union[str, int] = "auto", reduction_factor: int = 4,
                 min_early_stopping_rate: int = 0, bootstrap_count: int = 0) -> None:
        if min_resource != "auto":
            _at_least("min_resource", min_resource, 1)
        elif bootstrap_count > 0:
            raise ValueError("bootstrap_count needs a min_resource that is no 'auto'")
        self._min_resource: Optional[int] = (
            None if min_resource == "auto" else int(min_resource))
        self._factor = _at_least("reduction_factor", reduction_factor, 2)
        self._rate = _at_least("min_early_stopping_rate", min_early_stopping_rate, 0)
        self._bootstrap_count = _at_least("bootstrap_count", bootstrap_count, 0)

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether it has come to a rung beyond which it does not go."""
        return self._prune_among(study, trial, study._record.trials_now(deepcopy=False))

    def _prune_among(self, study: Any, trial: FrozenTrial,
                     trials: Sequence[FrozenTrial]) -> bool:
        step = trial.last_step
        if step is None:
            return False
        if self._min_resource is None:
            self._min_resource = _estimated_resource(trials)
            if self._min_resource is None:
                return False
        value = _sign(study) * trial.intermediate_values[step]
        rung = sum(key.startswith(_RUNG) for key in trial.system_attrs)
        while step >= self._min_resource * self._factor ** (self._rate + rung):
            if math.isnan(value):
                return True
            key = f"{_RUNG}{rung}"
            study._record.set_attr(trial.number, "system", key, value)
            values = [each.system_attrs[key] for each in trials
                      if key in each.system_attrs and each.number != trial.number]
            if len(values) + 1 <= self._bootstrap_count:
                return True
            values = sorted([*values, value])
            # While there are fewer than one factor, only the best goes on.
            if value > values[max(1, len(values) // self._factor) - 1]:
                return True
            rung += 1
        return False


class HyperbandPruner(BasePruner):
    """Successive halving in several brackets, which begin to end trials at different
    steps. Which bracket a trial is in follows from its number and the study's name."""

    def __init__(self, min_resource: int = 1, max_resource: Union[str, int] = "auto",
                 reduction_factor: int = 3, bootstrap_count: int = 0) -> None:
        self._min_resource = _at_least("min_resource", min_resource, 1)
        if max_resource != "auto":
            _at_least("max_resource", max_resource, self._min_resource)
        self._max_resource: Optional[int] = (
            None if max_resource == "auto" else int(max_resource))
        self._factor = _at_least("reduction_factor", reduction_factor, 2)
        self._bootstrap_count = _at_least("bootstrap_count", bootstrap_count, 0)
        self._brackets: List[SuccessiveHalvingPruner] = []
        self._budgets: List[int] = []

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether its bracket ends it."""
        trials = study._record.trials_now(deepcopy=False)
        if not self._brackets and not self._make_brackets(trials):
            return False
        bracket = self._bracket_of(study, trial)
        return self._brackets[bracket]._prune_among(study, trial, [
            each for each in trials if self._bracket_of(study, each) == bracket])

    def _make_brackets(self, trials: Sequence[FrozenTrial]) -> bool:
        if self._max_resource is None:
            last = [each.last_step for each in trials if each.state == TrialState.COMPLETE]
            steps = [each for each in last if each is not None]
            if not steps:
                return False
            self._max_resource = max(steps) + 1
        count, resource = 1, self._min_resource * self._factor
        while resource <= self._max_resource:
            count, resource = count + 1, resource * self._factor
        self._brackets = [SuccessiveHalvingPruner(
            self._min_resource, self._factor, rate, self._bootstrap_count)
            for rate in range(count)]
        # As many trials for each bracket as cost about as much as those of the others.
        self._budgets = [math.ceil(count * self._factor ** (count - 1 - rate) / (count - rate))
                         for rate in range(count)]
        return True

    def _bracket_of(self, study: Any, trial: FrozenTrial) -> int:
        place = zlib.crc32(f"{study.study_name}_{trial.number}".encode()) % sum(self._budgets)
        for bracket, budget in enumerate(self._budgets):
            if place < budget:
                return bracket
            place -= budget
        return len(self._budgets) - 1


class WilcoxonPruner(BasePruner):
    """Ends a trial that is worse than the best one beyond doubt, where each step is the
    result of one instance: by Wilcoxon's signed-rank test of the differences."""

    def __init__(self, *, p_threshold: float = 0.1, n_startup_steps: int = 2) -> None:
        if not 0 <= p_threshold <= 1:
            raise ValueError(f"p_threshold is from 0 to 1: {p_threshold}")
        self._p_threshold = p_threshold
        self._n_startup_steps = _at_least("n_startup_steps", n_startup_steps, 0)

    def prune(self, study: Any, trial: FrozenTrial) -> bool:
        """Whether the test says that it is worse."""
        try:
            best = best_of(_completed(study), study._record.directions[0])
        except ValueError:
            return False
        sign, mine, theirs = _sign(study), trial.intermediate_values, best.intermediate_values
        if not mine or not theirs or not all(map(math.isfinite, [*mine.values(),
                                                                 *theirs.values()])):
            return False
        differences = [sign * (value - theirs[step]) for step, value in mine.items()
                       if step in theirs]
        if len(differences) < max(2, self._n_startup_steps):
            return False
        if sign * (_mean_of(mine) - _mean_of(theirs)) <= 0:
            return False  # On the average it is not worse.
        return p_value_of_worse(differences) < self._p_threshold


_RUNG = "completed_rung_"


def _completed(study: Any) -> List[FrozenTrial]:
    record: StudyRecord = study._record
    return record.trials_now([TrialState.COMPLETE], deepcopy=False)


def _mean_of(values: Mapping[int, float]) -> float:
    return sum(values.values()) / len(values)


def _sign(study: Any) -> int:
    return -1 if study._record.directions[0] == StudyDirection.MAXIMIZE else 1


def _is_due(trial: FrozenTrial, step: int, warmup: int, interval: int) -> bool:
    """Whether this is the trial's first report of an interval after the warm-up."""
    if step < warmup:
        return False
    begin = (step - warmup) // interval * interval + warmup
    return all(each >= step or each < begin for each in trial.intermediate_values)


def _percentile_of(values: Sequence[float], percentile: float) -> float:
    """With linear interpolation."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percentile / 100
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    if ordered[below] == ordered[above]:
        return ordered[below]
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _estimated_resource(trials: Sequence[FrozenTrial]) -> Optional[int]:
    last = [each.last_step for each in trials if each.state == TrialState.COMPLETE]
    steps = [each for each in last if each is not None]
    return max(max(steps) // 100, 1) if steps else None


def _at_least(name: str, value: Any, least: int) -> int:
    number = whole(name, value)
    if number < least:
        raise ValueError(f"{name} must be >= {least}: {number}")
    return number


def __getattr__(name: str) -> Any:
    raise not_served(name, f"pruners.{name} is not served: there are {', '.join(__all__)}")


__all__ = ["BasePruner", "HyperbandPruner", "MedianPruner", "NopPruner", "PatientPruner",
           "PercentilePruner", "SuccessiveHalvingPruner", "ThresholdPruner",
           "WilcoxonPruner"]
