"""Asks the engine for a study whose space is learnt from its trials."""

from __future__ import annotations

import json
import threading
from typing import Any, Dict, List, Optional, Tuple

from .._suggester import Evaluated, Point, Suggester, Trials, study_of
from ..errors import InternalError, InvalidArgumentError
from . import logging as _logging
from ._frozen_trial import FrozenTrial
from ._learned_space import LearnedSpace
from ._record import StudyRecord
from ._states import StudyDirection, TrialState

_log = _logging.get_logger("optuna")


class Search:
    """The engine of one study, which each call names. Thread-safe.

    The space may change with each trial. A change starts another process, which is
    shown the trials that there are.
    """

    def __init__(self, algorithm: Optional[str], seed: int) -> None:
        self._algorithm = algorithm
        self._seed = seed
        self._lock = threading.Lock()  # Of all that follows: one trial is served at a time.
        self._suggester: Optional[Suggester] = None
        self._made_of = ""
        self._suggested: Dict[int, Dict[str, Any]] = {}  # To trials that may still run.
        self._excluded: Dict[int, Dict[str, Any]] = {}  # What trials could not take.

    def suggest(self, record: StudyRecord, number: int) -> Dict[str, Any]:
        """Values for the trial of this number of the study, of the parameters that it
        will need if it is like those before. Empty if nothing is known, or all points
        were tried. ValueError if the engine refuses the space."""
        with self._lock:
            space = LearnedSpace(record.trials_now(deepcopy=False))
            if not len(space):
                return {}
            suggester, constraints = self._suggester_for(record, space)
            try:
                point = suggester.suggest(
                    number, lambda: self._look(record, number, space, constraints))
            except InvalidArgumentError as error:
                raise ValueError(f"the engine refuses what the trials have declared, "
                                 f"{space.names()}: {error}") from error
            except InternalError as error:
                _log.warning("trial %d: the engine has no suggestion, and values are drawn: "
                             "%s", number, error)
                point = None
            values = {} if point is None else space.values_of(point)
            self._suggested[number] = values
            return dict(values)

    def _suggester_for(self, record: StudyRecord,
                       space: LearnedSpace) -> Tuple[Suggester, List[str]]:
        goals = ["maximize" if each == StudyDirection.MAXIMIZE else "minimize"
                 for each in record.directions]
        constraints = sorted({name for each in record.trials_now(deepcopy=False)
                              if each.state.is_finished() for name in each.constraints})
        study = study_of(space.parameters(), goals, len(constraints), self._seed)
        if self._algorithm is not None:
            study["hyperparameters"]["algorithm"] = self._algorithm
        made_of = json.dumps(study)
        if self._suggester is None or self._made_of != made_of:
            if self._suggester is not None:
                self._suggester.close()
            self._suggester, self._made_of = Suggester(study), made_of
        return self._suggester, constraints

    def _look(self, record: StudyRecord, number: int, space: LearnedSpace,
              constraints: List[str]) -> Trials:
        ended: Dict[Any, Evaluated] = {}
        running: Dict[Any, Optional[Point]] = {}
        for trial in record.trials_now(deepcopy=False):
            if trial.state.is_finished():
                self._note_what_was_excluded(trial)
                point = space.point_of(trial.params) if trial.params else None
                if point is not None:
                    ended[trial.number] = Evaluated(point, _values_of(trial, constraints))
            elif trial.state == TrialState.RUNNING and trial.number != number:
                known = {**self._suggested.get(trial.number, {}), **trial.params}
                running[trial.number] = space.point_of(known) if known else None
        for other, values in self._excluded.items():
            point = space.point_of(values)
            if point is not None:
                ended[other, "excluded"] = Evaluated(point, None)
        return ended, running

    def _note_what_was_excluded(self, trial: FrozenTrial) -> None:
        """Keeps the suggestion if the trial's ranges excluded it. The engine is shown it
        as a place that cannot be evaluated: it would suggest it again and again."""
        suggested = self._suggested.pop(trial.number, {})
        if any(name in suggested and not each.contains(suggested[name])
               for name, each in trial.distributions.items()):
            self._excluded[trial.number] = {
                name: value for name, value in suggested.items()
                if name in trial.distributions}


def _values_of(trial: FrozenTrial, constraints: List[str]) -> Optional[List[float]]:
    """The objectives, then the constraints; one that is not set is met, as in Optuna."""
    if trial.state == TrialState.FAIL or trial.values is None:
        return None
    found = trial.constraints
    return [*trial.values, *(found.get(name, 0.0) for name in constraints)]
