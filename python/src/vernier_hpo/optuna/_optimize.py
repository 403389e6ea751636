"""One call of `optimize`: runs an objective until enough trials have ended."""

from __future__ import annotations

import concurrent.futures
import copy
import gc
import logging
import math
import os
import threading
import time
from typing import Any, Callable, Iterable, List, Optional, Protocol, Sequence, Tuple, Type, Union

from .._progress import Progress
from .._space import plain
from ..errors import TrialStopped
from . import logging as _logging
from ._frozen_trial import FrozenTrial
from ._heartbeat import beating, fail_stale_trials
from ._runs import Runs
from ._states import TrialState
from ._trial import Trial, TrialStudy

Objective = Callable[[Trial], Union[float, Sequence[float]]]

_log = _logging.get_logger("optuna")


class RunStudy(TrialStudy, Protocol):
    """A study as `optimize` sees it."""

    _runs: Runs

    def ask(self) -> Trial:
        """Begins a trial."""

    def _tell(self, trial: Union[Trial, int], values: Any, state: Optional[TrialState],
              skip_if_finished: bool = False) -> Tuple[FrozenTrial, str]:
        """Ends a trial, which nobody changes. Also why it failed, if its values say so."""


class Run:
    """One call of `optimize`."""

    def __init__(self, study: RunStudy, objective: Objective, n_trials: Optional[int],
                 timeout: Optional[float], n_jobs: int,
                 catch: Union[Iterable[Type[Exception]], Type[Exception]],
                 callbacks: List[Callable[[Any, FrozenTrial], None]],
                 gc_after_trial: bool, show_progress_bar: bool) -> None:
        count = _count_of(n_trials)
        if n_jobs == 0 or n_jobs < -1:
            raise ValueError(f"n_jobs is 1 or more, or -1 for one per processor: {n_jobs}")
        self._catch = (catch,) if isinstance(catch, type) else tuple(catch)
        for each in self._catch:
            if not (isinstance(each, type) and issubclass(each, BaseException)):
                raise TypeError(f"catch is a class of exceptions, or several: {each!r}")
        self._study = study
        self._objective = objective
        self._n_jobs = (os.cpu_count() or 1) if n_jobs == -1 else n_jobs
        self._callbacks = callbacks
        self._gc_after_trial = gc_after_trial
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._lock = threading.Lock()
        self._left = count  # Guarded by the lock.
        self._stopped = threading.Event()
        self._progress = Progress(study, study.study_name, self._described, count,
                                  True) if show_progress_bar else None

    def stop(self) -> None:
        """Begins no further trial."""
        self._stopped.set()

    def run(self) -> None:
        """Runs the trials."""
        with self._study._runs.running(self):
            try:
                if self._n_jobs == 1:
                    self._work()
                else:
                    self._work_in_threads()
            finally:
                if self._progress is not None:
                    self._progress.finish()

    def _work_in_threads(self) -> None:
        with concurrent.futures.ThreadPoolExecutor(self._n_jobs) as pool:
            workers = [pool.submit(self._work) for _ in range(self._n_jobs)]
            try:
                for each in concurrent.futures.as_completed(workers):
                    each.result()
            finally:
                self.stop()

    def _work(self) -> None:
        try:
            with self._study._runs.inside():
                while self._takes_one():
                    self._run_one()
        except BaseException:
            self.stop()
            raise

    def _takes_one(self) -> bool:
        if self._stopped.is_set() or (
                self._deadline is not None and time.monotonic() >= self._deadline):
            return False
        with self._lock:
            if self._left == 0:
                return False
            if self._left is not None:
                self._left -= 1
            return True

    def _run_one(self) -> None:
        fail_stale_trials(self._study)
        trial = self._study.ask()
        with beating(self._study._record, trial.number):
            ended = self._ended(trial)
        if self._gc_after_trial:
            gc.collect()
        if self._progress is not None:
            self._progress.update()
        for callback in self._callbacks:
            callback(self._study, copy.deepcopy(ended))

    def _ended(self, trial: Trial) -> FrozenTrial:
        """Calls the objective, tells the study what came of it, and logs that."""
        try:
            values = self._objective(trial)
        except TrialStopped as stopped:
            ended, _ = self._study._tell(trial, None, TrialState.PRUNED)
            _log.info("Trial %d pruned. %s", ended.number, stopped)
            return ended
        except BaseException as error:
            ended, _ = self._study._tell(trial, None, TrialState.FAIL, skip_if_finished=True)
            _log.warning("Trial %d failed with parameters: %s because of the following "
                         "error: %r.", ended.number, ended.params, error, exc_info=True)
            if not isinstance(error, self._catch):
                raise
            return ended
        ended, trouble = self._study._tell(trial, values, None)
        if trouble:
            _log.warning(trouble)
        else:
            self._log_completed(ended)
        return ended

    def _log_completed(self, trial: FrozenTrial) -> None:
        if not _log.isEnabledFor(logging.INFO):
            return
        word = ("values" if len(trial.values or ()) > 1 else "value")
        shown: Any = trial.values if word == "values" else trial.value
        _log.info("Trial %d finished with %s: %s and parameters: %s.%s", trial.number,
                  word, shown, trial.params, self._best_in_words())

    def _best_in_words(self) -> str:
        if len(self._study.directions) > 1:
            return ""
        try:
            best = self._study.best_trial
        except ValueError:
            return ""
        return f" Best is trial {best.number} with value: {best.value}."

    def _described(self) -> Any:
        """As the service describes a study, for the progress."""
        if len(self._study.directions) > 1:
            return {}
        try:
            return {"bestTrial": {"finalMeasurement": {"value": self._study.best_value}}}
        except ValueError:
            return {}


def _count_of(n_trials: Optional[float]) -> Optional[int]:
    """How many trials an argument means, None for any number: 2.5 are 3, and what is
    below 0 is none."""
    given = plain(n_trials)
    if given is None or given == math.inf:
        return None
    if not isinstance(given, (int, float)):
        raise TypeError(f"n_trials is a number, or None: {n_trials!r}")
    return max(0, math.ceil(given))
