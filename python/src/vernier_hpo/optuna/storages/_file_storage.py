"""Studies in a file, whose events processes of one machine share."""

from __future__ import annotations

from typing import Any, Callable, List, Optional

from .. import logging as _logging
from .._record import StudyJournal, StudyRecord
from .._states import StudyDirection
from ._in_memory import InMemoryStorage

_log = _logging.get_logger("optuna")


class FileStorage(InMemoryStorage):
    """What a JournalStorage and an RDBStorage have in common. Thread-safe."""

    _kind = "a file"  # As Optuna's log calls it.

    def __init__(self, opened: Callable[[Callable[[str, List[Any]], None]],
                                        StudyJournal]) -> None:
        """`opened` makes the journal that calls the given function with each event."""
        super().__init__()
        self._file = opened(self._apply)
        self._file.read()

    def make(self, name: Optional[str], directions: List[StudyDirection],
             load_if_exists: bool) -> StudyRecord:
        """A new study, or the one of this name if `load_if_exists`. DuplicatedStudyError."""
        with self._file.changing():
            found = self._found_or_name(name, load_if_exists)
            if isinstance(found, StudyRecord):
                return found
            self._file.write(found, ["create", [int(each) for each in directions]])
            _log.info("A new study created in %s with name: %s", self._kind, found)
            return self._studies[found]

    def find(self, name: Optional[str]) -> StudyRecord:
        """The study of this name, or the only one. KeyError."""
        self._file.read()
        return super().find(name)

    def remove(self, name: str) -> None:
        """Forgets a study. KeyError."""
        with self._file.changing():
            self.find(name)
            self._file.write(name, ["delete"])

    def all(self) -> List[StudyRecord]:
        """The studies in the order in which they were made."""
        self._file.read()
        return super().all()

    def _apply(self, study: str, event: List[Any]) -> None:
        if event[0] == "create":
            self._add(study, [StudyDirection(each) for each in event[1]], self._file)
        elif event[0] == "delete":
            self._forget(study)
        elif study in self._studies:
            self._studies[study].apply(event)
