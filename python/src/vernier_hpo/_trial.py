"""A trial that this program runs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Protocol, Union

from ._frozen_trial import FrozenTrial, short
from ._hints import absent_of_trial
from ._space import Parameter
from ._study_calls import StudyCalls
from .errors import UnavailableError

_log = logging.getLogger("vernier_hpo")


def _whole_step(step: Any) -> int:
    try:
        if int(step) != step:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"step is a whole number: {step!r}") from None
    if step < 0:
        raise ValueError(f"step must be >= 0: {step}")
    return int(step)


def number_of(name: str, value: Any) -> float:
    """A metric's value; ValueError with its name for what is no number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"the value of {name!r} is no number: {value!r}") from None


class TrialStudy(Protocol):
    """The study of a trial, as an objective sees it: a vn.Study."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def full_name(self) -> str:
        """Its resource name."""

    @property
    def metrics(self) -> Dict[str, str]:
        """The goals by metric."""

    @property
    def goal(self) -> str:
        """The goal of the first metric."""

    @property
    def space(self) -> Dict[str, Parameter]:
        """The parameters by name."""

    @property
    def trials(self) -> List[FrozenTrial]:
        """All trials by number."""

    @property
    def best_trial(self) -> FrozenTrial:
        """The completed trial with the best value."""

    @property
    def best_value(self) -> float:
        """The value of the best trial."""

    @property
    def best_params(self) -> Dict[str, Any]:
        """The parameters of the best trial."""

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What set_user_attr has set, by name."""

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the study."""

    def stop(self) -> None:
        """Has `optimize` end after the trials that run now."""

    def _has_early_stopping(self) -> bool: ...

    def _service_calls(self) -> StudyCalls: ...


class Trial:
    """One evaluation of one suggestion. Used by one thread at a time."""

    def __init__(self, study: TrialStudy, number: int, params: Dict[str, Any],
                 client: str, user_attrs: Optional[Mapping[str, Any]]) -> None:
        self._study = study
        self._number = number
        self._params = params
        self._client = client
        self._user_attrs: Dict[str, Any] = dict(user_attrs or {})
        self._knows_attrs = user_attrs is not None  # Else the service is asked once.
        self._reported = False
        self._stop_asked = False

    @property
    def number(self) -> int:
        """1, 2, ... in its study; never used again."""
        return self._number

    @property
    def params(self) -> Dict[str, Any]:
        """The values to evaluate, by name: those that exist in this trial."""
        return dict(self._params)

    @property
    def study(self) -> TrialStudy:
        """The study that it belongs to."""
        return self._study

    def report(self, value: Union[float, Mapping[str, float]], step: int) -> None:
        """Reports how training goes: the first metric's value, or values by metric.

        `step` counts what is the same in every trial, such as epochs. NaN and
        infinities are kept and count for nothing. If the service is away for long, the
        report is dropped, and the log says so: training is worth more.
        """
        values = value if isinstance(value, Mapping) else {
            next(iter(self._study.metrics)): value}
        if not all(isinstance(name, str) and name for name in values):
            raise ValueError(f"a metric's name is a text that is not empty: {list(values)}")
        step = _whole_step(step)
        numbers = {name: number_of(name, each) for name, each in values.items()}
        try:
            self._study._service_calls().add_measurement(self._number, numbers, step)
            self._reported = True
        except UnavailableError as error:
            _log.warning("trial %d: the report of step %d is lost: %s", self._number,
                         step, error)

    def should_stop(self) -> bool:
        """Whether the trial is too bad to be worth finishing.

        Then raise `vn.TrialStopped()`, or return: the last report is its value.
        False while the service is away, and always without `early_stopping`.
        """
        if self._stop_asked or not self._study._has_early_stopping():
            return self._stop_asked
        try:
            self._stop_asked = self._study._service_calls().should_stop(self._number)
        except UnavailableError as error:
            _log.warning("trial %d: cannot ask whether to stop: %s", self._number, error)
        return self._stop_asked

    should_prune = should_stop

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What set_user_attr has set, by name, and what it was enqueued with."""
        if not self._knows_attrs:
            stored = self._study._service_calls().attributes(self._number)
            self._user_attrs = {**stored, **self._user_attrs}
            self._knows_attrs = True
        return dict(self._user_attrs)

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the trial: anything that JSON can say.

        The service keeps it at once, 64 KiB for a trial in all; `study.trials` and
        `trials_dataframe` have it, in this and any other program.
        """
        self._study._service_calls().set_attributes(self._number, {key: value})
        self._user_attrs[key] = value

    if not TYPE_CHECKING:  # To type checkers a name that is not there is an error.
        def __getattr__(self, name: str) -> Any:
            raise absent_of_trial(name)

    def __getitem__(self, name: str) -> Any:
        return self._params[name]

    def __str__(self) -> str:
        params = " ".join(f"{name}={short(value)}" for name, value in self._params.items())
        return f"trial {self._number} of {self._study.name}  {params}"

    def __repr__(self) -> str:
        return f"Trial(number={self._number}, params={self._params})"
