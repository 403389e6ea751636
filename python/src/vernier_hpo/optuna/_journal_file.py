"""A file of lines, of which each is an event of a study, that processes share.

The first line says whose file it is. A line counts once its end is written, so that what a
killed process has left of one is written over.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import threading
from typing import IO, Any, Callable, Dict, Iterator, List, Optional

from .._space import plain
from .exceptions import NotServedError, StorageInternalError

_MOST_SHOWN = 80  # Bytes of a line in an error.
_HEAD = b'{"format": "vernier_hpo.optuna", "version": 1}\n'
_HEADS_OF_OPTUNA = (b"SQLite format 3\0", b'{"op_code":')  # Its databases and journals.


class JournalFile:
    """Reads and writes a file. Thread-safe, and safe for several processes of one machine.

    `apply` is called with a study's name and an event, in their order, whoever wrote them.
    """

    def __init__(self, path: str, apply: Callable[[str, List[Any]], None]) -> None:
        self._path = path
        self._apply = apply
        self._offset = 0  # So much of the file is applied,
        self._lines = 0  # which are so many lines.
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.RLock()  # Of the two above and the two below.
        self._depth = 0
        self._file: Optional[IO[bytes]] = None  # While the file is locked.

    def __getstate__(self) -> Dict[str, Any]:
        """All but the lock, of which a copy has its own."""
        with self._lock:
            return {"_path": self._path, "_apply": self._apply, "_offset": self._offset,
                    "_lines": self._lines}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """A copy."""
        self.__dict__.update(state)
        self._begin()

    def read(self) -> None:
        """Applies what has been written since. NotServedError if it is not our file, and
        StorageInternalError, with its number, for a line that cannot be read."""
        with self._lock:
            try:
                if os.path.getsize(self._path) <= self._offset:
                    return
                with open(self._path, "rb") as file:
                    self._read_from(file)
            except FileNotFoundError:
                return  # Nothing has been written.

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Locks the file for this thread, which may do so several times, and reads."""
        with self._lock:
            if self._depth == 0:
                self._file = _locked(self._path)
            self._depth += 1
            try:
                if self._depth == 1:
                    assert self._file is not None
                    self._read_from(self._file)
                yield
            finally:
                self._depth -= 1
                if self._depth == 0 and self._file is not None:
                    self._file.close()  # Which unlocks it.
                    self._file = None

    def write(self, study: str, event: List[Any]) -> None:
        """Writes an event and applies it, while the file is locked. TypeError if JSON
        cannot say it."""
        try:
            line = json.dumps([study, *event], default=_number).encode() + b"\n"
        except TypeError as error:
            raise TypeError(f"a study in a file has parameters and attributes that JSON can "
                            f"say: {error}") from None
        file = self._file
        assert file is not None, "the file is not locked"
        written = line if self._offset else _HEAD + line
        file.truncate(self._offset)
        file.seek(self._offset)
        file.write(written)
        file.flush()
        os.fsync(file.fileno())
        self._offset += len(written)
        self._lines += written.count(b"\n")
        self._applied(line)

    def _read_from(self, file: IO[bytes]) -> None:
        file.seek(self._offset)
        if self._offset == 0:
            self._check_head(file)
        data = file.read()
        for line in data.split(b"\n")[:-1]:
            if self._offset > 0:  # The first line is the head.
                self._read_line(line)
            self._offset += len(line) + 1
            self._lines += 1

    def _check_head(self, file: IO[bytes]) -> None:
        head = file.read(len(_HEAD))
        file.seek(0)
        if _HEAD.startswith(head):
            return
        if any(head.startswith(each) for each in _HEADS_OF_OPTUNA):
            raise NotServedError(
                f"{self._path} was not made by vernier_hpo.optuna, which leaves it as it is; "
                f"if it is Optuna's, `vernier import optuna {shlex.quote(self._path)} --yes` "
                f"brings its studies to the service, where vernier_hpo.load_study goes on "
                f"with them. For new studies here, name another file")
        raise NotServedError(
            f"{self._path} is no journal of vernier_hpo.optuna, whose form differs "
            f"from Optuna's: name another file")

    def _read_line(self, line: bytes) -> None:
        try:
            self._applied(line)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise StorageInternalError(
                f"{self._path}, line {self._lines + 1}: no event of a study: "
                f"{line[:_MOST_SHOWN].decode(errors='replace')!r} ({error}); mend the "
                f"line, or remove it") from error

    def _applied(self, line: bytes) -> None:
        study, *event = json.loads(line)
        self._apply(study, event)


def _number(value: Any) -> Any:
    """A number of numpy or another library as Python's own. TypeError for what is none."""
    found = plain(value) if getattr(value, "shape", ()) == () else value
    if not isinstance(found, (bool, int, float)):
        raise TypeError(f"{type(value).__name__} is nothing that JSON has: {value!r}")
    return found


def _locked(path: str) -> IO[bytes]:
    """The file, which is made if it is not there, once no other process has it."""
    try:
        import fcntl
    except ImportError:
        raise NotServedError("a JournalStorage needs locks on files, which this system does "
                             "not have: use InMemoryStorage()") from None
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    file = os.fdopen(descriptor, "r+b")
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return file
