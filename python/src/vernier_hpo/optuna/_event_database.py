"""An SQLite database of events of studies, which processes share.

A row is an event and counts once its transaction is committed, so that a killed process
leaves nothing half done.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional

from ._event_text import event_text, import_hint
from .exceptions import NotServedError, StorageInternalError

_MOST_SHOWN = 80  # Characters of an event in an error.
_APPLICATION_ID = 0x766E6F70  # "vnop", which says whose database it is.
_VERSION = 1  # Of the table below, as SQLite's user_version.
_TABLE = "CREATE TABLE events (id INTEGER PRIMARY KEY, study TEXT NOT NULL, event TEXT NOT NULL)"

# Connections that a fork has copied. The child must not even close one, as
# https://www.sqlite.org/howtocorrupt.html says, so they stay referred to.
_inherited: List[sqlite3.Connection] = []


class EventDatabase:
    """Reads and writes a database. Thread-safe, and safe for several processes of one
    machine.

    `apply` is called with a study's name and an event, in their order, whoever wrote them.
    A call waits `timeout` seconds at most while another process writes. Methods raise
    NotServedError if the file is not ours, and StorageInternalError for what SQLite cannot
    do and for an event that cannot be read.
    """

    def __init__(self, path: str, timeout: float,
                 apply: Callable[[str, List[Any]], None]) -> None:
        self._path = path
        self._timeout = timeout
        self._apply = apply
        self._applied = 0  # The number of the last event that is.
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.RLock()  # Of the one above and those below.
        self._is_changing = False  # A transaction has begun,
        self._unstored = 0  # in which so many events were applied.
        self._connection: Optional[sqlite3.Connection] = None
        self._process = 0  # Whose connection it is.
        self._is_ours = False  # Once the file is known to be one of ours.
        self._failure = ""  # Of a commit: what is applied here is more than what is stored.

    def __getstate__(self) -> Dict[str, Any]:
        """All but the lock and the connection, of which a copy has its own."""
        with self._lock:
            return {"_path": self._path, "_timeout": self._timeout, "_apply": self._apply,
                    "_applied": self._applied}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """A copy."""
        self.__dict__.update(state)
        self._begin()

    def read(self) -> None:
        """Applies what has been written since."""
        with self._lock, self._named_errors():
            if self._is_ours or os.path.exists(self._path):
                self._read_from(self._connected())

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Begins a transaction for this thread, which may do so several times, and reads.

        What was written is committed at its end, also if that is an exception, since it is
        applied already.
        """
        with self._lock:
            if self._is_changing:
                yield
                return
            with self._named_errors():
                connection = self._connected()
                self._make(connection)
                connection.execute("BEGIN IMMEDIATE")
            self._is_changing = True
            try:
                self._read_from(connection)
                yield
            finally:
                self._is_changing = False
                self._commit(connection)

    def write(self, study: str, event: List[Any]) -> None:
        """Writes an event and applies it, within changing(). TypeError if JSON cannot say
        it."""
        text = event_text(event)
        assert self._is_changing, "no transaction has begun"
        with self._named_errors():
            row = self._connected().execute("INSERT INTO events (study, event) VALUES (?, ?)",
                                            (study, text))
        self._unstored += 1
        self._applied = row.lastrowid or 0
        self._apply(study, json.loads(text))

    def _connected(self) -> sqlite3.Connection:
        if self._failure:
            raise StorageInternalError(
                f"{self._path}: the last change could not be stored ({self._failure}); "
                f"what was stored before it is there when the program starts again")
        if self._connection is not None and self._process != os.getpid():
            _inherited.append(self._connection)
            self._connection = None
        if self._connection is None:
            self._connection = sqlite3.connect(self._path, timeout=self._timeout,
                                               isolation_level=None, check_same_thread=False)
            self._process = os.getpid()
        return self._connection

    def _make(self, connection: sqlite3.Connection) -> None:
        """Makes the table, unless it is there."""
        if self._is_ours:
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            if _is_empty(connection):
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            else:
                _check_is_ours(connection, self._path)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        self._is_ours = True
        # A commit then waits for the disk once. It may be refused while others are here,
        # and on some file systems; the database is as safe without.
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")

    def _read_from(self, connection: sqlite3.Connection) -> None:
        if not self._is_ours:
            if _is_empty(connection):
                return  # Nothing has been written.
            _check_is_ours(connection, self._path)
            self._is_ours = True
        for number, study, text in connection.execute(
                "SELECT id, study, event FROM events WHERE id > ? ORDER BY id",
                (self._applied,)):
            try:
                self._apply(study, json.loads(text))
            except (ValueError, TypeError, LookupError, AttributeError) as error:
                raise StorageInternalError(
                    f"{self._path}, row {number} of the table events: no event of a study: "
                    f"{str(text)[:_MOST_SHOWN]!r} ({error}); mend the row, or remove "
                    f"it") from error
            self._applied = number

    def _commit(self, connection: sqlite3.Connection) -> None:
        unstored, self._unstored = self._unstored, 0
        if not connection.in_transaction:  # A write that found no space has undone it all.
            self._failure = "a later one found no space" if unstored > 0 else ""
            return
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            connection.close()  # Which rolls back.
            self._connection = None
            self._failure = str(error) if unstored > 0 else ""
            raise StorageInternalError(f"{self._path}: {error}") from error

    @contextlib.contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Says which file SQLite's errors are of."""
        try:
            yield
        except sqlite3.Error as error:
            if str(error) == "file is not a database":
                raise NotServedError(f"{self._path} is no SQLite database: name another "
                                     f"file") from error
            raise StorageInternalError(f"{self._path}: {error}") from error


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()


def _check_is_ours(connection: sqlite3.Connection, path: str) -> None:
    """NotServedError for a database that something else has made."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        if {"studies", "trials", "version_info"} <= tables:
            raise NotServedError(import_hint(path))
        raise NotServedError(f"{path} is a database of something else, which is left as it "
                             f"is: name another file")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != _VERSION:
        raise NotServedError(f"{path} has version {version} of its form, and this release "
                             f"of vernier_hpo knows version {_VERSION}: use the one that "
                             f"made it")
