"""A trial that this program runs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Dict, Mapping, Union

from ._space import Value
from .errors import UnavailableError

if TYPE_CHECKING:
    from ._study import Study

_log = logging.getLogger("vernier")


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


class Trial:
    """One evaluation of one suggestion. Used by one thread at a time."""

    def __init__(self, study: "Study", number: int, params: Dict[str, Value],
                 client: str) -> None:
        self._study = study
        self._number = number
        self._params = params
        self._client = client
        self._reported = False
        self._stop_asked = False

    @property
    def number(self) -> int:
        """1, 2, ... in its study; never used again."""
        return self._number

    @property
    def params(self) -> Dict[str, Value]:
        """The values to evaluate, by name: those that exist in this trial."""
        return dict(self._params)

    @property
    def study(self) -> "Study":
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
        step = _whole_step(step)
        numbers = {name: number_of(name, each) for name, each in values.items()}
        try:
            self._study._calls.add_measurement(self._number, numbers, step)
            self._reported = True
        except UnavailableError as error:
            _log.warning("trial %d: the report of step %d is lost: %s", self._number,
                         step, error)

    def should_stop(self) -> bool:
        """Whether the trial is too bad to be worth finishing.

        Then raise `vernier.TrialStopped()`, or return: the last report is its value.
        False while the service is away, and always without `early_stopping`.
        """
        if self._stop_asked or not self._study._early_stopping:
            return self._stop_asked
        try:
            self._stop_asked = self._study._calls.should_stop(self._number)
        except UnavailableError as error:
            _log.warning("trial %d: cannot ask whether to stop: %s", self._number, error)
        return self._stop_asked

    should_prune = should_stop

    def __getattr__(self, name: str) -> Any:
        if name.startswith("suggest_"):
            raise AttributeError(
                f"a trial has no {name}: the space is given to create_study, and the "
                f'values are in trial.params, such as trial.params["lr"]')
        raise AttributeError(f"a trial has no {name}")

    def __getitem__(self, name: str) -> Value:
        return self._params[name]

    def __repr__(self) -> str:
        return f"Trial(number={self._number}, params={self._params})"
