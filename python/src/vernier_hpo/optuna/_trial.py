"""The trial that an objective is called with."""

from __future__ import annotations

import datetime
import warnings
from typing import Any, Dict, List, Optional, Protocol

from .._space import plain
from ._base_trial import BaseTrial, checked_constraint, constraint_name, constraints_in
from ._frozen_trial import FIXED, FrozenTrial
from ._given_value import given_value
from ._record import StudyRecord
from ._states import StudyDirection
from .distributions import BaseDistribution, as_external, check_distribution_compatibility
from .exceptions import UpdateFinishedTrialError
from .pruners import BasePruner
from .samplers import BaseSampler


class TrialStudy(Protocol):
    """A study as its trials see it."""

    sampler: BaseSampler
    pruner: BasePruner
    _record: StudyRecord

    @property
    def study_name(self) -> str:
        """Its name."""

    @property
    def directions(self) -> List[StudyDirection]:
        """Which values of each objective are better."""

    @property
    def direction(self) -> StudyDirection:
        """Which values are better."""

    @property
    def trials(self) -> List[FrozenTrial]:
        """Copies of all trials."""

    @property
    def best_trial(self) -> FrozenTrial:
        """The best trial."""

    @property
    def best_value(self) -> float:
        """Its value."""

    @property
    def best_params(self) -> Dict[str, Any]:
        """Its parameters."""

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What `set_user_attr` has set."""

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the study."""

    def stop(self) -> None:
        """Has `optimize` end."""


class Trial(BaseTrial):
    """One run of an objective: it declares its parameters, and reports how it goes.

    One thread at a time uses a trial; several trials may run at once.
    """

    def __init__(self, study: TrialStudy, record: FrozenTrial) -> None:
        self.study = study
        self._record = record
        self._relative: Optional[Dict[str, Any]] = None

    @property
    def number(self) -> int:
        """0, 1, ... in its study."""
        return self._record.number

    @property
    def _trial_id(self) -> int:
        return self._record.number

    @property
    def params(self) -> Dict[str, Any]:
        """The values of the parameters that it has declared, by name."""
        return dict(self._record.params)

    @property
    def distributions(self) -> Dict[str, BaseDistribution]:
        """What it has declared, by name."""
        return dict(self._record.distributions)

    @property
    def relative_params(self) -> Dict[str, Any]:
        """What is suggested for parameters that it may still declare, by name."""
        return dict(self._suggested())

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What `set_user_attr` has set, by name."""
        return dict(self._record.user_attrs)

    @property
    def system_attrs(self) -> Dict[str, Any]:
        """What this module has set, by name."""
        return dict(self._record.system_attrs)

    @property
    def constraints(self) -> Dict[str, float]:
        """What `set_constraint` has set, by name."""
        return constraints_in(self._record.system_attrs)

    @property
    def datetime_start(self) -> Optional[datetime.datetime]:
        """When it began."""
        return self._record.datetime_start

    def report(self, value: float, step: int) -> None:
        """Reports the objective's value at a step, 0 or more; of two reports of one
        step the first one counts."""
        if len(self.study.directions) > 1:
            raise NotImplementedError("a trial of several objectives reports nothing: its "
                                      "pruners judge one objective")
        number = _number("the value of a report", value)
        at = _step(step)
        if at < 0:
            raise ValueError(f"a step is 0 or more: {at}")
        self._check_open()
        if at in self._record.intermediate_values:
            warnings.warn(f"step {at} was reported before; the first value stays",
                          stacklevel=2)
            return
        self.study._record.report(self.number, at, number)

    def should_prune(self) -> bool:
        """Whether the study's pruner ends the trial: then raise TrialPruned."""
        if len(self.study.directions) > 1:
            raise NotImplementedError("a trial of several objectives is not pruned: its "
                                      "pruners judge one objective")
        return bool(self.study.pruner.prune(self.study, self._frozen()))

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the trial."""
        self._check_open()
        self.study._record.set_attr(self.number, "user", key, value)

    def set_system_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name among those of this module."""
        self._check_open()
        self.study._record.set_attr(self.number, "system", key, value)

    def set_constraint(self, key: str, value: float) -> None:
        """Says how a constraint is met: by values up to 0. The first value stays."""
        self._check_open()
        number = checked_constraint(key, value, self._record.system_attrs, stacklevel=3)
        if number is not None:
            self.study._record.set_attr(self.number, "system", constraint_name(key), number)

    def _frozen(self) -> FrozenTrial:
        return self.study._record.snapshot(self._record.number)

    def _check_open(self) -> None:
        if self._record.state.is_finished():
            raise UpdateFinishedTrialError(
                f"trial {self.number} has ended and takes no change: {self._record.state}")

    def _suggested(self) -> Dict[str, Any]:
        if self._relative is None:
            sampler, study, trial = self.study.sampler, self.study, self._frozen()
            self._relative = dict(sampler.sample_relative(
                study, trial, sampler.infer_relative_search_space(study, trial)))
        return self._relative

    def _value_for(self, name: str, distribution: BaseDistribution) -> Any:
        known = self._record.distributions.get(name)
        if known is not None:
            check_distribution_compatibility(known, distribution)
            if known != distribution:
                warnings.warn(f"{name} was declared as {known} in this trial before, which "
                              f"stays: {distribution}", RuntimeWarning, stacklevel=3)
            return as_external(self._record.params[name], distribution)
        self.study._record.check_compatible(name, distribution)
        value = as_external(self._new_value(name, distribution), distribution)
        self._check_open()
        self.study._record.set_param(self.number, name, value, distribution)
        return value

    def _new_value(self, name: str, distribution: BaseDistribution) -> Any:
        fixed = self._record.system_attrs.get(FIXED, {})
        if name in fixed:
            return given_value(name, fixed[name], distribution, stacklevel=5)
        if distribution.single():
            return distribution.to_external_repr(distribution.to_internal_repr(
                distribution._asdict()["choices"][0] if "choices" in distribution._asdict()
                else distribution._asdict()["low"]))
        suggested = self._suggested()
        if name in suggested and distribution.contains(suggested[name]):
            return suggested[name]
        if name in suggested:
            near = self.study.sampler._near(suggested[name], distribution)
            if near is not None:
                return near
        return self.study.sampler.sample_independent(
            self.study, self._frozen(), name, distribution)


def _step(value: Any) -> int:
    try:
        return int(plain(value))
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"step is a whole number: {value!r}") from None


def _number(what: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is a number: {value!r}") from None
