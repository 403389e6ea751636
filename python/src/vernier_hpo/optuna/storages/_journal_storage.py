"""Studies in a file that processes of one machine share."""

from __future__ import annotations

import os
from typing import Any, List, Optional

from .. import logging as _logging
from .._journal_file import JournalFile
from .._record import StudyRecord
from .._states import StudyDirection
from ..exceptions import NotServedError
from ._in_memory import InMemoryStorage

_log = _logging.get_logger("optuna")


class JournalFileBackend:
    """Names the file of a JournalStorage. `lock_obj` changes nothing: the file itself is
    locked."""

    def __init__(self, file_path: str, lock_obj: Any = None) -> None:
        self.file_path = os.path.abspath(os.fspath(file_path))


class JournalFileOpenLock:
    """For programs that name a lock. It does nothing: a JournalFileBackend locks its file
    itself."""

    def __init__(self, filepath: str, grace_period: Optional[int] = None) -> None:
        self.filepath = filepath


class JournalFileSymlinkLock(JournalFileOpenLock):
    """For programs that name a lock. It does nothing, as JournalFileOpenLock."""


class JournalStorage(InMemoryStorage):
    """Studies that outlive the program, in a file that several processes of one machine
    may share: JournalStorage(JournalFileBackend("studies.log")).

    The file's form is this package's own: Optuna does not read it, nor this package
    Optuna's. A program that is killed leaves its trial RUNNING.
    """

    _KIND = "Journal"  # As the log says.

    def __init__(self, log_storage: JournalFileBackend) -> None:
        super().__init__()
        if not isinstance(log_storage, JournalFileBackend):
            raise NotServedError(f"a JournalStorage is made of a JournalFileBackend(path): "
                                 f"{log_storage!r}")
        self._file = JournalFile(log_storage.file_path, self._apply)
        self._file.read()

    def make(self, name: Optional[str], directions: List[StudyDirection],
             load_if_exists: bool) -> StudyRecord:
        """A new study, or the one of this name if `load_if_exists`. DuplicatedStudyError."""
        with self._file.changing():
            found = self._found_or_name(name, load_if_exists)
            if isinstance(found, StudyRecord):
                return found
            self._file.write(found, ["create", [int(each) for each in directions]])
            _log.info("A new study created in %s with name: %s", self._KIND, found)
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
