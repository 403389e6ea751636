"""A trial as it was at one moment."""

from __future__ import annotations

import copy
import datetime
import math
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._base_trial import DetachedTrial
from ._given_value import given_value
from ._states import TrialState
from .distributions import BaseDistribution, check_distribution_compatibility

FIXED = "fixed_params"  # The values of a queued trial.


class FrozenTrial(DetachedTrial):
    """One trial of a study, or one made by `create_trial`. It is a copy: what is changed
    in it changes nothing in the study."""

    def __init__(self, number: int, state: TrialState, value: Optional[float],
                 datetime_start: Optional[datetime.datetime],
                 datetime_complete: Optional[datetime.datetime], params: Dict[str, Any],
                 distributions: Dict[str, BaseDistribution], user_attrs: Dict[str, Any],
                 system_attrs: Dict[str, Any], intermediate_values: Dict[int, float],
                 trial_id: int, *, values: Optional[Sequence[float]] = None) -> None:
        if value is not None and values is not None:
            raise ValueError("value and values exclude each other")
        #: 0, 1, ... in its study.
        self.number = number
        #: How it ended, or where it is.
        self.state = state
        #: When it began to run, or None.
        self.datetime_start = datetime_start
        #: When it ended, or None.
        self.datetime_complete = datetime_complete
        #: What `set_user_attr` has set, by name.
        self.user_attrs = user_attrs
        #: What this module has set, by name.
        self.system_attrs = system_attrs
        #: What was reported, by step.
        self.intermediate_values = intermediate_values
        #: The values of its objectives, or None.
        self.values: Optional[List[float]] = (
            list(values) if values is not None else None if value is None else [value])
        self._params = params
        self._distributions = distributions
        self._trial_id = trial_id

    @property
    def params(self) -> Dict[str, Any]:
        """The values of its parameters, by name."""
        return self._params

    @params.setter
    def params(self, params: Dict[str, Any]) -> None:
        self._params = params

    @property
    def distributions(self) -> Dict[str, BaseDistribution]:
        """What the trial said of its parameters, by name."""
        return self._distributions

    @distributions.setter
    def distributions(self, distributions: Dict[str, BaseDistribution]) -> None:
        self._distributions = distributions

    @property
    def value(self) -> Optional[float]:
        """Its value; RuntimeError if it has several objectives."""
        if self.values is None:
            return None
        if len(self.values) > 1:
            raise RuntimeError("the trial has several objectives: use values")
        return self.values[0]

    @value.setter
    def value(self, value: Optional[float]) -> None:
        self.values = None if value is None else [value]

    @property
    def last_step(self) -> Optional[int]:
        """The greatest step that was reported, or None."""
        return max(self.intermediate_values, default=None)

    @property
    def duration(self) -> Optional[datetime.timedelta]:
        """How long it ran, or None if it has not ended."""
        if self.datetime_start is None or self.datetime_complete is None:
            return None
        return self.datetime_complete - self.datetime_start

    def is_feasible(self) -> bool:
        """Whether it meets its constraints."""
        return all(each <= 0 for each in self.constraints.values())

    def _value_for(self, name: str, distribution: BaseDistribution) -> Any:
        if name not in self._params:
            raise ValueError(f"the trial has no {name!r}, but {', '.join(self._params)}")
        value = given_value(name, self._params[name], distribution, stacklevel=4)
        if name in self._distributions:
            check_distribution_compatibility(self._distributions[name], distribution)
        self._distributions[name] = distribution
        return value

    def __deepcopy__(self, memo: Dict[int, Any]) -> FrozenTrial:
        """A copy, which shares what cannot be copied, as a lock in an attribute."""
        copied = copy.copy(self)
        memo[id(self)] = copied
        for name, each in self.__dict__.items():
            copied.__dict__[name] = (attributes_copied if name.endswith("_attrs")
                                     else copy.deepcopy)(each, memo)
        return copied

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenTrial) and self.__dict__ == other.__dict__

    def __lt__(self, other: Any) -> bool:
        return isinstance(other, FrozenTrial) and self.number < other.number

    def __hash__(self) -> int:
        return hash((self.number, self._trial_id))

    def __repr__(self) -> str:
        """All that it has, in Optuna's order."""
        names = ("number", "state", "values", "datetime_start", "datetime_complete", "params",
                 "user_attrs", "system_attrs", "intermediate_values", "distributions")
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"FrozenTrial({fields}, trial_id={self._trial_id}, value=None)"


def attributes_copied(attributes: Dict[str, Any],
                      memo: Optional[Dict[int, Any]] = None) -> Dict[str, Any]:
    """A copy, which shares what cannot be copied."""
    return {name: _copied(each, memo) for name, each in attributes.items()}


def _copied(value: Any, memo: Optional[Dict[int, Any]]) -> Any:
    try:
        return copy.deepcopy(value, memo)
    except Exception:
        return value


def create_trial(*, state: Optional[TrialState] = None, value: Optional[float] = None,
                 values: Optional[Sequence[float]] = None,
                 params: Optional[Mapping[str, Any]] = None,
                 distributions: Optional[Mapping[str, BaseDistribution]] = None,
                 user_attrs: Optional[Mapping[str, Any]] = None,
                 system_attrs: Optional[Mapping[str, Any]] = None,
                 intermediate_values: Optional[Mapping[int, float]] = None,
                 constraints: Optional[Mapping[str, float]] = None) -> FrozenTrial:
    """A trial for `study.add_trial`. Each parameter needs its distribution."""
    now = datetime.datetime.now()
    ends_as = TrialState.COMPLETE if state is None else state
    trial = FrozenTrial(
        -1, ends_as, value, None if ends_as == TrialState.WAITING else now,
        now if ends_as.is_finished() else None, dict(params or {}),
        dict(distributions or {}), dict(user_attrs or {}), dict(system_attrs or {}),
        dict(intermediate_values or {}), -1, values=values)
    for key, each in (constraints or {}).items():
        trial.set_constraint(key, each)
    check_trial(trial)
    return trial


def check_trial(trial: FrozenTrial) -> None:
    """Raises ValueError unless a study may have the trial."""
    if set(trial.params) != set(trial.distributions):
        raise ValueError(f"params and distributions have the same names: "
                         f"{sorted(trial.params)} and {sorted(trial.distributions)}")
    for name, distribution in trial.distributions.items():
        if not distribution.contains(trial.params[name]):
            raise ValueError(f"{name} cannot be {trial.params[name]!r}: {distribution}")
    if trial.state == TrialState.COMPLETE:
        if trial.values is None:
            raise ValueError("a trial that is COMPLETE has a value")
        if any(math.isnan(float(each)) for each in trial.values):
            raise ValueError(f"a trial that is COMPLETE has no NaN: {trial.values}")
    if trial.state == TrialState.FAIL and trial.values is not None:
        raise ValueError(f"a trial that is FAIL has no value: {trial.values}")
