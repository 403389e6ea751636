"""A trial as it was when it was read."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import json
import math
import pathlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Protocol

from ._hints import absent_of_trial
from ._space import Space
from ._study_calls import attributes_in
from ._study_config import Literals, value_of
from ._trial_state import TrialState, state_of

Json = Dict[str, Any]


class TrialPen(Protocol):
    """What writes about the trials of a study."""

    def set_attributes(self, number: int, attributes: Mapping[str, Any]) -> None:
        """Sets attributes of a trial."""

    def write_note(self, number: int, text: str) -> None:
        """Writes the note of a trial anew."""


@dataclass(frozen=True)
class FrozenTrial:
    """One trial, read at one moment. Numbers are 1, 2, ..., as everywhere in Vernier."""

    #: 1, 2, ... in its study; never used again.
    number: int
    #: How it ended, or where it is.
    state: TrialState
    #: The values of the parameters that exist in it, by name.
    params: Dict[str, Any]
    #: The final values that are finite, by metric: those of the study, and what else
    #: a trial was told with.
    metrics: Dict[str, float]
    #: Why it ended, for example "success", "stopped_early", "not_finite".
    end_cause: str = field(default="", repr=False)
    #: The end in words; of an exception with its traceback.
    message: str = field(default="", repr=False)
    #: Why the parameters were chosen, in words.
    suggestion: str = field(default="", repr=False)
    #: The folder of the files that it left, on the service's machine: of a job, the
    #: trial's job_dir, or without one its working directory. Empty if there is none.
    output_dir: str = field(default="", repr=False)
    #: When its parameters were chosen, in UTC.
    datetime_create: Optional[datetime.datetime] = field(default=None, repr=False)
    #: When it began to run, or None.
    datetime_start: Optional[datetime.datetime] = field(default=None, repr=False)
    #: When it ended, or None.
    datetime_complete: Optional[datetime.datetime] = field(default=None, repr=False)
    #: What `set_user_attr` has set, by name.
    user_attrs: Dict[str, Any] = field(default_factory=dict, repr=False)
    #: What people wrote about it: see write_note.
    note: str = field(default="", repr=False)
    _goals: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _read_curve: Callable[[int], Dict[int, float]] = field(
        default=lambda number: {}, repr=False, compare=False)
    _list_files: Callable[[int], List[str]] = field(
        default=lambda number: [], repr=False, compare=False)
    _read_last: Optional[Callable[[int], Dict[str, float]]] = field(
        default=None, repr=False, compare=False)
    _pen: Optional[TrialPen] = field(default=None, repr=False, compare=False)

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the trial: anything that JSON can say.

        Also of a trial that has ended; 64 KiB for a trial in all.
        """
        self._written().set_attributes(self.number, {key: value})
        self.user_attrs[key] = value

    def write_note(self, text: str) -> None:
        """Writes the note of the trial anew; an empty one removes it.

        `note` is as it was when the trial was read.
        """
        self._written().write_note(self.number, text)

    def _written(self) -> TrialPen:
        if self._pen is None:
            raise RuntimeError(f"trial {self.number} was not read from a service")
        return self._pen

    @property
    def files(self) -> List[pathlib.Path]:
        """The files that it left, such as `model.pt`; asks the service.

        Their paths are those of the service's machine, at most 10,000, and 1,000 of a
        folder. A trial of a job has them in `job_dir`, or without one in its working
        directory, from which what is as the code has it is left out.
        """
        return [pathlib.Path(each) for each in self._list_files(self.number)]

    @property
    def value(self) -> Optional[float]:
        """The final value of the first metric, or None."""
        return self.metrics.get(next(iter(self._goals), ""))

    @property
    def values(self) -> Optional[List[float]]:
        """The final values in the order of the metrics; None if one is missing."""
        if not self._goals or any(name not in self.metrics for name in self._goals):
            return None
        return [self.metrics[name] for name in self._goals]

    @property
    def duration(self) -> Optional[datetime.timedelta]:
        """How long it ran, or None while it runs or waits."""
        if self.datetime_start is None or self.datetime_complete is None:
            return None
        return self.datetime_complete - self.datetime_start

    @property
    def last_values(self) -> Dict[str, float]:
        """The last finite value of everything that it reported, by metric; of a job's
        trial it asks the service, which keeps there what `metrics` has not."""
        others = self._read_last(self.number) if self._read_last else {}
        return {**self.metrics, **{name: value for name, value in others.items()
                                   if name not in self.metrics}}

    @property
    def last_step(self) -> Optional[int]:
        """The largest step of its intermediate values; None if there are none."""
        return max(self.intermediate_values, default=None)

    if not TYPE_CHECKING:  # To type checkers a name that is not there is an error.
        def __getattr__(self, name: str) -> Any:
            raise absent_of_trial(name)

    @property
    def intermediate_values(self) -> Dict[int, float]:
        """What it reported of the first metric, by step; asks the service."""
        return self._read_curve(self.number)

    def __lt__(self, other: object) -> bool:
        """By number."""
        if not isinstance(other, FrozenTrial):
            return NotImplemented
        return self.number < other.number

    def __hash__(self) -> int:
        return hash((self.number, self.datetime_create))

    def __copy__(self) -> FrozenTrial:
        """A copy that asks the same service."""
        return dataclasses.replace(self)

    def __deepcopy__(self, memo: Dict[int, Any]) -> FrozenTrial:
        """A copy that asks the same service."""
        return dataclasses.replace(self, **{
            each.name: copy.deepcopy(getattr(self, each.name), memo)
            for each in dataclasses.fields(self) if each.name not in _SERVED})

    def __getstate__(self) -> Dict[str, Any]:
        """What was read: another process has to ask the service for the rest."""
        return {**self.__dict__, "_read_curve": _ask_again, "_list_files": _ask_again,
                "_read_last": self._read_last and _ask_again, "_pen": None}

    def __str__(self) -> str:
        """A line: its number, how it ended, its values, its parameters."""
        values = [f"{name} {short(value)}" for name, value in self.metrics.items()]
        params = " ".join(f"{name}={short(value)}" for name, value in self.params.items())
        return "  ".join([f"trial {self.number}", str(self.state), *values, params])


# What a trial asks its service by.
_SERVED = ("_read_curve", "_list_files", "_read_last", "_pen")


def _ask_again(number: int) -> Any:
    raise RuntimeError(f"trial {number} comes from a pickle, which has not what it reported, "
                       f"nor its files: study.get_trial({number}) asks the service")


def short(value: Any) -> str:
    """A value as people read it: at most six digits of a float."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def time_of(text: Optional[str]) -> Optional[datetime.datetime]:
    """An RFC 3339 time of the service, to the microsecond; None for none."""
    if not text:
        return None
    whole, _, fraction = text.rstrip("Z").partition(".")
    moment = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S")
    return moment.replace(microsecond=int((fraction + "000000")[:6]),
                          tzinfo=datetime.timezone.utc)


def frozen_trial(message: Json, space: Space, goals: Mapping[str, str],
                 read_curve: Optional[Callable[[int], Dict[int, float]]] = None,
                 list_files: Optional[Callable[[int], List[str]]] = None,
                 read_last: Optional[Callable[[int], Dict[str, float]]] = None,
                 pen: Optional[TrialPen] = None,
                 literals: Optional[Literals] = None) -> FrozenTrial:
    """From a vernier.v1.Trial; its goals are by metric, the objective's first."""
    cause = message.get("endCause", "")
    state = state_of(message["state"], cause)
    return FrozenTrial(
        number=int(message["trialId"]),
        state=state,
        params={each["name"]: value_of(space, each["name"], _raw_value(each),
                                       literals or {})
                for each in message.get("parameters", [])},
        metrics={} if state == TrialState.INFEASIBLE else _final_metrics(message, goals),
        end_cause=cause,
        message=message.get("message", ""),
        suggestion=message.get("suggestion", {}).get("text", ""),
        datetime_create=time_of(message.get("createTime")),
        datetime_start=time_of(message.get("startTime")),
        datetime_complete=time_of(message.get("endTime")),
        user_attrs=attributes_in(message),
        note=str(message.get("note", "")),
        _goals=dict(goals), _read_curve=read_curve or (lambda number: {}),
        output_dir=_output_dir(message),
        _list_files=list_files or (lambda number: []), _read_last=read_last, _pen=pen)


def _output_dir(message: Json) -> str:
    attempts = message.get("attempts", [])
    if message.get("jobDir") or not attempts or not attempts[-1].get("runDir"):
        return str(message.get("jobDir", ""))
    return f"{attempts[-1]['runDir']}/work"


def _final_metrics(message: Json, goals: Mapping[str, str]) -> Dict[str, float]:
    """The study's metrics in their order, then the others by name."""
    final = {name: float(value) for name, value in message.get("finalMetrics", {}).items()}
    if "finalMeasurement" in message:
        final.setdefault(next(iter(goals), ""),
                         float(message["finalMeasurement"].get("value", 0.0)))
    names = [*(name for name in goals if name in final),
             *sorted(name for name in final if name not in goals)]
    return {name: final[name] for name in names if math.isfinite(final[name])}


def _raw_value(parameter: Json) -> Any:
    text = parameter.get("value", "")
    if parameter.get("isBoolean"):
        return text.lower() == "true"
    return text if parameter.get("isText") else json.loads(text)
