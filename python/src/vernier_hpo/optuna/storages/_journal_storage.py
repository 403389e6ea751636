"""Studies in a file that processes of one machine share."""

from __future__ import annotations

import functools
import os
from typing import Any, Optional

from .._journal_file import JournalFile
from ..exceptions import NotServedError
from ._file_storage import FileStorage


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


class JournalStorage(FileStorage):
    """Studies that outlive the program, in a file that several processes of one machine
    may share: JournalStorage(JournalFileBackend("studies.log")).

    The file's form is this package's own: Optuna does not read it, nor this package
    Optuna's. A program that is killed leaves its trial RUNNING.
    """

    _kind = "Journal"

    def __init__(self, log_storage: JournalFileBackend) -> None:
        if not isinstance(log_storage, JournalFileBackend):
            raise NotServedError(f"a JournalStorage is made of a JournalFileBackend(path): "
                                 f"{log_storage!r}")
        super().__init__(functools.partial(JournalFile, log_storage.file_path))
