"""Studies in the memory of this program."""

from __future__ import annotations

import copy
import threading
import uuid
from typing import Any, Collection, Dict, List, Optional, Union

from .. import logging as _logging
from .._best import best_of
from .._frozen_study import FrozenStudy
from .._frozen_trial import FrozenTrial
from .._record import StudyJournal, StudyRecord
from .._states import StudyDirection, TrialState
from ..exceptions import DuplicatedStudyError

_log = _logging.get_logger("optuna")


class InMemoryStorage:
    """Studies by name, for as long as this program runs. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._studies: Dict[str, StudyRecord] = {}  # These two are guarded by the lock.
        self._made = 0

    def make(self, name: Optional[str], directions: List[StudyDirection],
             load_if_exists: bool) -> StudyRecord:
        """A new study, or the one of this name if `load_if_exists`. DuplicatedStudyError."""
        with self._lock:
            found = self._found_or_name(name, load_if_exists)
            if isinstance(found, StudyRecord):
                return found
            _log.info("A new study created in memory with name: %s", found)
            return self._add(found, directions, None)

    def find(self, name: Optional[str]) -> StudyRecord:
        """The study of this name, or the only one. KeyError."""
        with self._lock:
            if name is None:
                if len(self._studies) != 1:
                    raise ValueError(f"study_name says which study: the storage has "
                                     f"{len(self._studies)}")
                return next(iter(self._studies.values()))
            if name not in self._studies:
                raise KeyError(f"the storage has no study {name!r}, but "
                               f"{', '.join(self._studies) or 'none'}")
            return self._studies[name]

    def remove(self, name: str) -> None:
        """Forgets a study. KeyError."""
        self.find(name)
        with self._lock:
            self._forget(name)

    def all(self) -> List[StudyRecord]:
        """The studies in the order in which they were made."""
        with self._lock:
            return list(self._studies.values())

    # What programs ask storages of Optuna's. A study's id is its number in the storage.

    def get_all_studies(self) -> List[FrozenStudy]:
        """The studies, without their trials."""
        return [FrozenStudy(each) for each in self.all()]

    def get_study_id_from_name(self, study_name: str) -> int:
        """The id of the study of this name. KeyError."""
        return self.find(study_name).id

    def get_all_trials(self, study_id: int, deepcopy: bool = True,
                       states: Optional[Collection[TrialState]] = None) -> List[FrozenTrial]:
        """The trials of a study, those in certain states if these are given. KeyError."""
        return self._of_id(study_id).trials_now(states, deepcopy)

    def get_best_trial(self, study_id: int) -> FrozenTrial:
        """The best trial of a study of one objective. KeyError; ValueError if there is none."""
        record = self._of_id(study_id)
        return copy.deepcopy(best_of(record.trials_now(deepcopy=False), record.directions[0]))

    def delete_study(self, study_id: int) -> None:
        """Forgets a study. KeyError."""
        self.remove(self._of_id(study_id).name)

    def _of_id(self, study_id: int) -> StudyRecord:
        for each in self.all():
            if each.id == study_id:
                return each
        raise KeyError(f"the storage has no study with the id {study_id}")

    def _found_or_name(self, name: Optional[str],
                       load_if_exists: bool) -> Union[StudyRecord, str]:
        """The study that is there, or the name of a new one."""
        if name is None:
            return f"no-name-{uuid.uuid4()}"
        if name not in self._studies:
            return name
        if not load_if_exists:
            raise DuplicatedStudyError(f"there is a study {name!r} already; "
                                       f"load_if_exists=True goes on with it")
        _log.info("Using an existing study with name %r instead of creating a new one.", name)
        return self._studies[name]

    def _add(self, name: str, directions: List[StudyDirection],
             journal: Optional[StudyJournal]) -> StudyRecord:
        record = StudyRecord(self._made, name, directions, journal)
        self._made += 1
        self._studies[name] = record
        return record

    def _forget(self, name: str) -> None:
        record = self._studies.pop(name, None)
        if record is not None:
            record.is_deleted = True

    def __getstate__(self) -> Dict[str, Any]:
        """All but the lock, of which a copy has its own."""
        return {name: each for name, each in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """A copy."""
        self.__dict__.update(state)
        self._lock = threading.Lock()
