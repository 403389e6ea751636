"""Suggestions that follow from the trials of a study, wherever these are kept.

Whoever keeps the trials (a storage of Optuna's, a searcher of Ray's) shows all of them
each time a point is wanted. The engine is a cache of what it was shown: one that has
seen the same trials in the same order suggests the same point, so that a restart and
another process go on alike.
"""

from __future__ import annotations

import dataclasses
import logging
import math
import statistics
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._engine import Engine, Json
from ._job_space import params_of
from ._space import Space
from .errors import (InvalidArgumentError, ResourceExhaustedError, UnavailableError,
                     VernierError)

_log = logging.getLogger("vernier_hpo")

Point = Dict[str, Any]
Key = Any  # Of a trial: its number or name, where it is kept.


@dataclasses.dataclass(frozen=True)
class Evaluated:
    """A trial that has ended: its point, and its values in the order of the study's
    metrics, or None if it could not be evaluated. So is one with values that are not
    finite."""

    point: Point
    values: Optional[Sequence[float]]

    def __post_init__(self) -> None:
        if self.values is not None and not all(map(math.isfinite, self.values)):
            object.__setattr__(self, "values", None)


# The trials that have ended, and those that run, without a point where it is not known.
Trials = Tuple[Mapping[Key, Evaluated], Mapping[Key, Optional[Point]]]


@dataclasses.dataclass
class _Shown:
    """What the engine knows of a trial: by which id, where, and whether it has ended."""

    id: int
    point: Point
    end: Optional[Evaluated] = None


def study_of(space: Space, goals: Sequence[str], num_constraints: int, seed: int) -> Json:
    """The fields with which the engine makes a study.

    `goals` are "minimize" or "maximize". A constraint is met by values up to 0. The
    values of a trial are those of the objectives, then those of the constraints.
    """
    study: Json = {"seed": seed, "hyperparameters": {"params": params_of(space)}}
    if len(goals) == 1 and not num_constraints:
        study["hyperparameters"]["goal"] = goals[0].upper()
        return study
    study["objectives"] = [{"metric": f"objective{i}", "goal": goal.upper()}
                           for i, goal in enumerate(goals)]
    if num_constraints:
        study["constraints"] = [{"metric": f"constraint{i}", "max": 0}
                                for i in range(num_constraints)]
    return study


class Suggester:
    """Suggests points of one study. Thread-safe.

    A trial of which the engine suggested the point is one that it waits for. It has no
    operation for a trial that runs elsewhere. So where there are such, a second engine
    is shown these trials as if they had ended with the median of the values so far (a
    constant liar: Ginsbourger, Le Riche and Carraro, 2010), and answers once.
    """

    def __init__(self, study: Json) -> None:
        self._study = study
        self._metrics = [each["metric"] for key in ("objectives", "constraints")
                         for each in study.get(key, [])]
        self._lock = threading.Lock()
        self._engine: Optional[Engine] = None  # These three are guarded by the lock.
        self._shown: Dict[Key, _Shown] = {}
        self._beside: Dict[Key, Point] = {}  # Of second engines, until they are stored.

    def suggest(self, key: Key, look: Callable[[], Trials]) -> Optional[Point]:
        """The point of the trial `key`, or None if every point of the space was tried.

        `look` shows the other trials as they are now. It is called when no other thread
        is being given a point: to older news a point just given would be one of a trial
        that is gone. Raises InvalidArgumentError for a space that the engine refuses.
        """
        with self._lock:
            ended, running = look()
            try:
                try:
                    return self._suggest(key, ended, running)
                except UnavailableError as error:
                    _log.warning("%s; it is started again", error)
                    self._forget()
                    return self._suggest(key, ended, running)
            except VernierError:
                raise  # An answer of the engine's, of which it is known what it was shown.
            except BaseException:
                self._forget()  # It may have been shown more than is noted here.
                raise

    def close(self) -> None:
        """Ends the engine's process. The next suggestion starts another one."""
        with self._lock:
            self._forget()

    def _suggest(self, key: Key, ended: Mapping[Key, Evaluated],
                 running: Mapping[Key, Optional[Point]]) -> Optional[Point]:
        engine = self._engine_for(ended)
        self._abandon(engine, key, ended, running)
        for other, trial in ended.items():
            self._show_end(engine, other, trial)
        elsewhere = self._elsewhere(key, running)
        try:
            if elsewhere:
                awaited = [each.point for each in self._shown.values() if each.end is None]
                self._beside[key] = self._suggest_beside(ended, elsewhere + awaited)
                return dict(self._beside[key])
            trial, = engine.call("ask")["trials"]
        except ResourceExhaustedError:
            return None
        self._shown[key] = _Shown(trial["id"], trial["parameters"])
        return dict(trial["parameters"])

    def _engine_for(self, ended: Mapping[Key, Evaluated]) -> Engine:
        """The engine, a new one if what it was shown is not what is so."""
        if any(each.end is not None and ended.get(key) != each.end
               for key, each in self._shown.items()):
            self._forget()
        if self._engine is not None and not self._engine.is_of_this_process():
            self._forget()
        if self._engine is None:
            self._engine = Engine(self._study)
        return self._engine

    def _elsewhere(self, key: Key, running: Mapping[Key, Optional[Point]]) -> List[Point]:
        """The points that run and that the engine does not wait for."""
        self._beside = {other: point for other, point in self._beside.items()
                        if other != key and other in running and running[other] is None}
        known = {other: self._beside.get(other) if point is None else point
                 for other, point in running.items()}
        return [point for other, point in known.items()
                if point is not None and other not in self._shown]

    def _forget(self) -> None:
        engine, self._engine, self._shown = self._engine, None, {}
        if engine is not None:
            engine.close()

    def _abandon(self, engine: Engine, key: Key, ended: Mapping[Key, Evaluated],
                 running: Mapping[Key, Optional[Point]]) -> None:
        """Has the engine wait no more for trials that are gone or run at another point."""
        for other, shown in list(self._shown.items()):
            if shown.end is not None:
                continue
            if other in ended:
                point: Optional[Point] = ended[other].point
            else:
                point = running.get(other)
            is_known = other != key and (other in ended or other in running)
            if not is_known or (point is not None and point != shown.point):
                engine.call("abandon", id=shown.id)
                del self._shown[other]

    def _show_end(self, engine: Engine, key: Key, trial: Evaluated) -> None:
        shown = self._shown.get(key)
        if shown is None:
            added = self._added(engine, trial)
            self._shown[key] = _Shown(added, trial.point, trial)
        elif shown.end is None:
            engine.call("tell", id=shown.id, **self._outcome(trial))
            shown.end = trial

    def _added(self, engine: Engine, trial: Evaluated) -> int:
        try:
            return int(engine.call("add", parameters=trial.point,
                                   **self._outcome(trial))["id"])
        except InvalidArgumentError as error:
            _log.warning("a trial is left out of the search: %s", error)
            return 0

    def _outcome(self, trial: Evaluated) -> Json:
        if trial.values is None:
            return {"infeasible": True}
        if not self._metrics:
            return {"value": float(trial.values[0])}
        return {"values": {name: float(each)
                           for name, each in zip(self._metrics, trial.values)}}

    def _suggest_beside(self, ended: Mapping[Key, Evaluated],
                        running: List[Point]) -> Point:
        """A point for a trial beside some that run, by an engine of its own."""
        values = [each.values for each in ended.values() if each.values is not None]
        lie = [statistics.median(column) for column in zip(*values)] or (
            [0.0] * max(1, len(self._metrics)))
        engine = Engine(self._study)
        try:
            for trial in ended.values():
                self._added(engine, trial)
            for point in running:
                self._added(engine, Evaluated(point, lie))
            trial, = engine.call("ask")["trials"]
            return dict(trial["parameters"])
        finally:
            engine.close()
