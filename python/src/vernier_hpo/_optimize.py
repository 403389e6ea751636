"""The loop of Study.optimize."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
import traceback
from typing import (Any, Callable, Container, Dict, Iterable, List, Mapping, Optional, Tuple,
                    Type, Union)

from ._ask_tell import AskTell
from ._clients import is_of_dead_process
from ._frozen_trial import FrozenTrial, short
from ._progress import Progress
from ._space import whole
from ._trial import Trial
from ._trial_state import TrialState
from .errors import (FailedPreconditionError, NotFoundError, SpaceUsedUpError,
                     TrialStopped, VernierError)

Callback = Callable[[Any, FrozenTrial], None]

_log = logging.getLogger("vernier_hpo")
_WAIT_SECONDS = 0.2  # Between looks of the main thread, which hears Ctrl-C.


class Optimization:
    """One call of optimize. `run` is called once; threads share the rest."""

    def __init__(self, study: AskTell, objective: Callable[[Trial], Any],
                 n_trials: Optional[int], n_jobs: int, timeout: Optional[float],
                 callbacks: Iterable[Callback],
                 catch: Union[Type[Exception], Tuple[Type[Exception], ...]],
                 shows_progress: bool) -> None:
        if not callable(objective):
            raise TypeError(f"the objective is no function: {objective!r}")
        if n_trials is not None and whole("n_trials", n_trials) < 0:
            raise ValueError(f"n_trials must be >= 0: {n_trials}")
        n_jobs = jobs_of(n_jobs)
        self._study = study
        self._objective = objective
        self._n_jobs = n_jobs if n_trials is None else max(1, min(n_jobs, n_trials))
        self._callbacks = _functions_of(callbacks)
        self._catch = _exceptions_of(catch)
        self._end = None if timeout is None else time.monotonic() + _seconds(timeout)
        self._lock = threading.Lock()
        self._left = n_trials
        self._orphans: List[str] = []
        self._error: Optional[BaseException] = None
        self._is_over = False
        self._progress = Progress(study, study.name, study._calls.describe, n_trials,
                                  shows_progress)

    def run(self) -> None:
        """Runs trials to the end; raises the first error of a trial."""
        self._study._stop_optimizing = False
        if self._left == 0:
            return
        self._orphans = clients_that_died(self._study)
        try:
            if self._n_jobs == 1:
                self._work()
            else:
                self._run_threads()
        finally:
            self._progress.finish()
        if self._error is not None:
            raise self._error

    def _run_threads(self) -> None:
        threads = [threading.Thread(target=self._work, name=f"vernier-{i}", daemon=True)
                   for i in range(self._n_jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(_WAIT_SECONDS)
        except BaseException:
            # Ctrl-C comes to this thread only. The objectives cannot be interrupted;
            # their trials end as they end, and no other ones begin.
            self._is_over = True
            raise

    def _work(self) -> None:
        try:
            while self._may_go_on():
                trial = self._next_trial()
                if trial is not None:
                    self._run_trial(trial)
        except SpaceUsedUpError as error:
            _log.info("%s", error)
            self._is_over = True
        except BaseException as error:
            with self._lock:
                self._error = self._error or error
            self._is_over = True

    def _may_go_on(self) -> bool:
        """Whether to run another trial; takes it off the count."""
        with self._lock:
            if self._is_over or self._study._stop_optimizing:
                return False
            if self._end is not None and time.monotonic() >= self._end:
                return False
            if self._left is None:
                return True
            self._left -= 1
            return self._left >= 0

    def _next_trial(self) -> Optional[Trial]:
        with self._lock:
            orphan = self._orphans.pop() if self._orphans else None
        if orphan is None:
            return self._study.ask()
        # The service hands a client its own open trials again.
        return self._study._ask_as(orphan, lambda name: None)

    def _run_trial(self, trial: Trial) -> None:
        error = None
        try:
            value = self._objective(trial)
            self._check_value(trial, value)
        except TrialStopped:
            end = self._stopped_end(trial)
        except Exception as raised:
            error = raised
            end = {"state": TrialState.INFEASIBLE, "reason": _reason_of(raised)}
        except BaseException:
            # Ctrl-C says nothing about the parameters.
            self._study.abandon(trial)
            raise
        else:
            end = {"value": value}
            if trial._stop_asked:
                end = (self._stopped_end(trial) if value is None else
                       {"value": value, "state": TrialState.STOPPED})
        self._tell(trial, end)
        if error is not None:
            if not isinstance(error, self._catch):
                raise error
            _log.warning("trial %d is infeasible: %s", trial.number, _line_of(error),
                         exc_info=error)

    def _check_value(self, trial: Trial, value: Any) -> None:
        """TypeError for no value, unless the trial was told to stop and has reported."""
        if value is not None:
            self._study._by_metric(value)
        elif not (trial._stop_asked and trial._reported):
            raise TypeError(
                "the objective returned None: it returns the trial's value, or raises "
                "vn.TrialStopped after should_stop()")

    def _stopped_end(self, trial: Trial) -> Dict[str, Any]:
        if trial._reported:
            return {"state": TrialState.STOPPED}
        return {"state": TrialState.INFEASIBLE,
                "reason": "stopped before it reported a value"}

    def _tell(self, trial: Trial, end: Dict[str, Any]) -> None:
        try:
            self._study.tell(trial, **end)
        except (NotFoundError, FailedPreconditionError) as error:
            if not self._is_study_there():
                raise
            # Somebody ended or removed this trial elsewhere.
            _log.warning("trial %d: %s", trial.number, error)
            return
        self._progress.update()
        logs = _log.isEnabledFor(logging.INFO)
        if not self._callbacks and not logs:
            return
        frozen = self._study.get_trial(trial.number)
        if logs:
            _log.info("%s: %s%s", self._study.name, frozen, self._best_so_far())
        if self._callbacks:
            for callback in self._callbacks:
                callback(self._study, frozen)

    def _best_so_far(self) -> str:
        """For the log; nothing if it is not known, or there are several metrics."""
        try:
            best = self._study.best_trial
        except VernierError:
            return ""
        return f"; best so far: {short(best.value)} of trial {best.number}"

    def _is_study_there(self) -> bool:
        try:
            self._study._calls.describe()
        except NotFoundError:
            return False
        return True


class MaxTrialsCallback:
    """A callback of `optimize` that ends it once the study has so many trials.

    Those of all programs count, whose state is in `states`; None: any state.
    """

    def __init__(self, n_trials: int,
                 states: Optional[Container[TrialState]] = (TrialState.COMPLETED,)) -> None:
        self._n_trials = whole("n_trials", n_trials)
        self._states = states

    def __call__(self, study: AskTell, trial: FrozenTrial) -> None:
        if len(study.get_trials(states=self._states)) >= self._n_trials:
            study.stop()


def jobs_of(n_jobs: int) -> int:
    """How many run at once; -1 is one for each processor, as elsewhere in Python."""
    if whole("n_jobs", n_jobs) == -1:
        return os.cpu_count() or 1
    if n_jobs < 1:
        raise ValueError(f"n_jobs must be >= 1, or -1 for all processors: {n_jobs}")
    return n_jobs


def _exceptions_of(catch: Any) -> Tuple[Type[Exception], ...]:
    """The exceptions of `catch`: one, or several. TypeError for anything else."""
    several = tuple(catch) if isinstance(catch, (tuple, list, set, frozenset)) else (catch,)
    for each in several:
        if not (isinstance(each, type) and issubclass(each, Exception)):
            raise TypeError(f"catch is an exception's class, or several: {catch!r}")
    return several


def _functions_of(callbacks: Any) -> List[Callback]:
    """The callbacks. TypeError unless each is a function."""
    several = list(callbacks) if isinstance(callbacks, Iterable) else [None]
    if not all(callable(each) for each in several):
        raise TypeError(f"callbacks is a list of functions: {callbacks!r}")
    return several


def _seconds(timeout: Any) -> float:
    """TypeError for what is no number, such as a text or a timedelta."""
    if isinstance(timeout, (str, bytes)):
        raise TypeError(f"timeout is a number of seconds: {timeout!r}")
    try:
        seconds = float(timeout)
    except (TypeError, ValueError):
        raise TypeError(f"timeout is a number of seconds: {timeout!r}") from None
    if math.isnan(seconds):
        raise ValueError("timeout is a number of seconds: nan")
    return seconds


_MOST_REASON = 16 << 10  # Of the traceback, its end says most.


def _line_of(error: BaseException) -> str:
    """An exception in a line, whatever the exception does."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # Its __str__ fails, too.
        return type(error).__name__


def _reason_of(error: Exception) -> str:
    """An exception in words that the service takes, with its traceback below."""
    # The first frame is the one that called the objective.
    frames = error.__traceback__.tb_next if error.__traceback__ else None
    try:
        text = "".join(traceback.format_exception(type(error), error, frames))
    except Exception:
        text = ""
    if len(text) > _MOST_REASON:
        text = "...\n" + text[-_MOST_REASON:]
    return f"{_line_of(error)[:1000]}\n{text}".rstrip().encode("utf-8", "replace").decode()


def clients_that_died(study: AskTell) -> List[str]:
    """Clients with open trials whose process was killed on this machine."""
    return [client for message in study._calls.list_trials("state=active OR state=stopping")
            if is_of_dead_process(client := message.get("clientId", ""))]
