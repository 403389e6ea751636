"""A study as its storage keeps it: the trials and what else it is made of.

Whatever changes a study is an event, which is applied here and, if the study has a
journal, written there first. Events are lists that JSON can say.
"""

from __future__ import annotations

import contextlib
import copy
import datetime
import threading
from typing import (Any, Callable, Collection, ContextManager, Dict, List, NamedTuple,
                    Optional, Protocol)

from ._best import best_of, is_candidate
from ._frozen_trial import FrozenTrial, attributes_copied
from ._states import StudyDirection, TrialState
from .distributions import (BaseDistribution, CategoricalDistribution, as_external,
                            check_distribution_compatibility, distribution_to_json,
                            json_to_distribution)

Event = List[Any]


class StudyJournal(Protocol):
    """Where the events of a study are written."""

    def read(self) -> None:
        """Has the studies apply what other processes have written."""

    def changing(self) -> ContextManager[None]:
        """Reads, and keeps other processes from writing in the meantime."""

    def write(self, study: str, event: Event) -> None:
        """Writes an event and has the study apply it."""


class Heartbeat(NamedTuple):
    """What a storage asks of the trials that optimize runs."""

    interval: float  # Seconds between two signs of life.
    grace: float  # Seconds without one after which a trial counts as killed.
    on_failed: Optional[Callable[[Any, FrozenTrial], None]]  # With the study and the trial.


class StudyRecord:
    """One study. Thread-safe.

    Trials are changed only by events. An event replaces what it changes, so that who has
    read a trial's dictionaries may go through them without the lock.
    """

    def __init__(self, study_id: int, name: str, directions: List[StudyDirection],
                 journal: Optional[StudyJournal] = None) -> None:
        self.id = study_id
        self.name = name
        self.directions = directions
        self.declared: Dict[str, BaseDistribution] = {}  # As first declared, by name.
        self.is_deleted = False  # Another study may have the name since then.
        self.heartbeat: Optional[Heartbeat] = None  # What the storage asks of trials.
        self.user_attrs: Dict[str, Any] = {}
        self.system_attrs: Dict[str, Any] = {}
        self._trials: List[FrozenTrial] = []  # By number.
        self._best: Optional[FrozenTrial] = None  # Of one objective.
        self._beats: Dict[int, float] = {}  # By number: when a running trial last said so.
        self._journal = journal
        # Of all of these but the first three. Who holds it asks no journal, which holds
        # its own lock while it applies what it reads.
        self._lock = threading.RLock()

    def __getstate__(self) -> Dict[str, Any]:
        """All but the lock, of which a copy has its own."""
        with self.changing():
            return {name: each for name, each in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """A copy."""
        self.__dict__.update(state)
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def changing(self) -> Any:
        """Keeps other threads and processes from changing the study in the meantime."""
        if self._journal is None:
            with self._lock:
                yield
        else:
            with self._journal.changing():
                yield

    def trials_now(self, states: Optional[Collection[TrialState]] = None,
                   deepcopy: bool = True) -> List[FrozenTrial]:
        """The trials by number, those in certain states if these are given. Copies,
        unless the caller promises to change nothing."""
        self._read()
        with self._lock:
            found = [each for each in self._trials if states is None or each.state in states]
            return copy.deepcopy(found) if deepcopy else found

    def attributes(self, kind: str) -> Dict[str, Any]:
        """A copy of the "user" or the "system" attributes of the study."""
        self._read()
        with self._lock:
            return attributes_copied(self.user_attrs if kind == "user" else self.system_attrs)

    def best_now(self) -> Optional[FrozenTrial]:
        """The best trial as it is kept, or None if there is none or the study has several
        objectives. It is noted at the end of each trial, after which none changes."""
        self._read()
        with self._lock:
            return self._best

    def find(self, number: int) -> FrozenTrial:
        """The trial of this number as it is kept. ValueError."""
        self._read()
        with self._lock:
            if not 0 <= number < len(self._trials):
                raise ValueError(f"the study has no trial {number}, but {len(self._trials)} "
                                 f"trials, from 0")
            return self._trials[number]

    def snapshot(self, number: int) -> FrozenTrial:
        """The trial of this number as it is now, for who changes nothing in it."""
        with self._lock:
            return copy.copy(self._trials[number])

    def add(self, trial: FrozenTrial) -> FrozenTrial:
        """Keeps a trial under the next number. ValueError if trials have declared
        something else."""
        with self.changing():
            for name, distribution in trial.distributions.items():
                self.check_compatible(name, distribution)
            self._do(["add", _written(trial)] if self._journal is not None else [],
                     lambda: self._add(copy.deepcopy(trial)))
            return self._trials[-1]

    def begin(self) -> FrozenTrial:
        """The first queued trial, or a new one, as one that runs."""
        with self.changing():
            queued = next((each for each in self._trials
                           if each.state == TrialState.WAITING), None)
            trial = queued or self.add(FrozenTrial(
                -1, TrialState.WAITING, None, None, None, {}, {}, {}, {}, {}, -1))
            self._do(["begin", trial.number, _time_now()])
            return trial

    def set_param(self, number: int, name: str, value: Any,
                  distribution: BaseDistribution) -> None:
        """Keeps the value of a parameter of a trial that runs."""
        self._do(["param", number, name, value, distribution_to_json(distribution)]
                 if self._journal is not None else [],
                 lambda: self._set_param(number, name, value, distribution))

    def report(self, number: int, step: int, value: float) -> None:
        """Keeps what a trial has reported."""
        self._do(["report", number, step, value])

    def set_attr(self, number: Optional[int], kind: str, key: str, value: Any) -> None:
        """Keeps a "user" or "system" attribute of a trial, or without one of the study."""
        self._do(["attr", number, kind, key, value])

    def end(self, number: int, state: TrialState, values: Optional[List[float]]) -> None:
        """Ends a trial."""
        self._do(["end", number, int(state), values, _time_now()])

    def beat(self, number: int, at: float) -> None:
        """Keeps that a trial runs, `at` seconds since 1970."""
        self._do(["beat", number, at])

    def fail_silent(self, since: float) -> List[FrozenTrial]:
        """Ends as failed the running trials that have beaten before, and not since then."""
        with self.changing():
            silent = [number for number, at in self._beats.items() if at < since]
            for number in silent:
                self.end(number, TrialState.FAIL, None)
            return [self.snapshot(number) for number in silent]

    def check_compatible(self, name: str, distribution: BaseDistribution) -> None:
        """Raises ValueError, with the name, if trials have declared something else."""
        with self._lock:
            known = self.declared.setdefault(name, distribution)
        try:
            check_distribution_compatibility(known, distribution)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        if isinstance(distribution, CategoricalDistribution):
            with self._lock:  # The choices of this process, as its tuples.
                self.declared[name] = distribution

    def _read(self) -> None:
        """Has the study know what other processes have written. KeyError if it is deleted."""
        if self._journal is not None:
            self._journal.read()
        self._check_exists()

    def _check_exists(self) -> None:
        if self.is_deleted:
            raise KeyError(f"the study {self.name!r} was deleted")

    def _do(self, event: Event, act: Optional[Callable[[], None]] = None) -> None:
        """Writes an event to the journal, which applies it, or else applies it."""
        if self._journal is not None:
            with self._journal.changing():
                self._check_exists()  # Else the event were one of a study made since then.
                self._journal.write(self.name, event)
            return
        with self._lock:
            self._check_exists()
            if act is None:
                self.apply(event)
            else:
                act()

    def apply(self, event: Event) -> None:
        """Changes the study as an event says, one of the journal or of this record."""
        kind, *given = event
        with self._lock:
            if kind == "add":
                self._add(_read(given[0]))
            elif kind == "param":
                number, name, value, distribution = given
                self._set_param(number, name, value, json_to_distribution(distribution))
            elif kind == "attr":
                self._set_attr(*given)
            elif kind == "beat":
                if not self._trials[given[0]].state.is_finished():
                    self._beats[given[0]] = given[1]
            else:
                trial = self._trials[given[0]]
                if kind == "begin":
                    trial.state = TrialState.RUNNING
                    trial.datetime_start = datetime.datetime.fromisoformat(given[1])
                elif kind == "report":
                    trial.intermediate_values = {**trial.intermediate_values,
                                                 int(given[1]): given[2]}
                elif kind == "end":
                    trial.values = given[2]
                    trial.datetime_complete = datetime.datetime.fromisoformat(given[3])
                    trial.state = TrialState(given[1])
                    self._beats.pop(given[0], None)
                    self._note_best(trial)

    def _add(self, trial: FrozenTrial) -> None:
        trial.number = trial._trial_id = len(self._trials)
        for name, distribution in trial.distributions.items():
            self.declared.setdefault(name, distribution)
        self._trials.append(trial)
        self._note_best(trial)

    def _note_best(self, trial: FrozenTrial) -> None:
        if len(self.directions) == 1 and is_candidate(trial):
            known = [] if self._best is None else [self._best]
            self._best = best_of(sorted([*known, trial]), self.directions[0])

    def _set_param(self, number: int, name: str, value: Any,
                   distribution: BaseDistribution) -> None:
        trial = self._trials[number]
        known = self.declared.setdefault(name, distribution)
        if isinstance(known, CategoricalDistribution) and known == distribution:
            distribution, value = known, as_external(value, known)
        trial.params = {**trial.params, name: value}  # First: who has the second has both.
        trial.distributions = {**trial.distributions, name: distribution}

    def _set_attr(self, number: Optional[int], kind: str, key: str, value: Any) -> None:
        owner: Any = self if number is None else self._trials[number]
        name = f"{kind}_attrs"
        setattr(owner, name, {**getattr(owner, name), key: value})


def _time_now() -> str:
    return datetime.datetime.now().isoformat()


def _written(trial: FrozenTrial) -> Dict[str, Any]:
    """A trial as JSON can say it."""
    def time(at: Optional[datetime.datetime]) -> Optional[str]:
        return None if at is None else at.isoformat()

    return {"state": int(trial.state), "values": trial.values, "params": trial.params,
            "distributions": {name: distribution_to_json(each)
                              for name, each in trial.distributions.items()},
            "user_attrs": trial.user_attrs, "system_attrs": trial.system_attrs,
            "reports": list(trial.intermediate_values.items()),
            "start": time(trial.datetime_start), "complete": time(trial.datetime_complete)}


def _read(written: Dict[str, Any]) -> FrozenTrial:
    def time(at: Optional[str]) -> Optional[datetime.datetime]:
        return None if at is None else datetime.datetime.fromisoformat(at)

    return FrozenTrial(
        -1, TrialState(written["state"]), None, time(written["start"]),
        time(written["complete"]), written["params"],
        {name: json_to_distribution(each) for name, each in written["distributions"].items()},
        written["user_attrs"], written["system_attrs"],
        {int(step): value for step, value in written["reports"]}, -1,
        values=written["values"])
