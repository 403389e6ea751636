"""Studies in an SQLite database, under the URL that Optuna has for one."""

from __future__ import annotations

import functools
import os
import re
import urllib.parse
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from .._event_database import EventDatabase
from .._record import Heartbeat, StudyJournal, StudyRecord
from .._states import StudyDirection
from ..exceptions import NotServedError
from ._file_storage import FileStorage

_URL = re.compile(r"sqlite(?:\+pysqlite)?://(?:/(?P<path>[^?]*))?(?:\?(?P<query>.*))?")
_TIMEOUT = 60.0  # Seconds to wait while others write, unless a program says how long.


class SqliteUrl(NamedTuple):
    """What a URL such as "sqlite:///studies.db?timeout=10" says."""

    path: str  # Absolute, or ":memory:".
    timeout: float  # Seconds.


def sqlite_url(url: Any) -> Optional[SqliteUrl]:
    """The parts of SQLAlchemy's URL of an SQLite database, or None for something else.
    NotServedError for a query of other things than a timeout."""
    match = _URL.fullmatch(url) if isinstance(url, str) else None
    if match is None:
        return None
    timeout = _TIMEOUT
    path = match["path"] or ""
    for name, value in urllib.parse.parse_qsl(match["query"] or "", keep_blank_values=True):
        if name != "timeout":
            raise NotServedError(f"{url!r}: of a database's settings timeout is served, not "
                                 f"{name!r}")
        timeout = _seconds(value)
    if path in ("", ":memory:"):
        return SqliteUrl(":memory:", timeout)
    if path.startswith("file:"):
        raise NotServedError(f"{url!r}: a database is named by its path, not by a URI")
    return SqliteUrl(os.path.abspath(path), timeout)


def without_password(url: Any) -> Any:
    """A URL as an error may show it."""
    return re.sub(r"(?<=://)[^/]*@", "", url) if isinstance(url, str) else url


def _seconds(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"timeout is a number of seconds: {value!r}") from None


class RDBStorage(FileStorage):
    """Studies that outlive the program, in an SQLite database that several processes of
    one machine may share: RDBStorage("sqlite:///studies.db").

    The database's form is this package's own: Optuna does not read it, nor this package
    Optuna's, which it leaves as it is. Of `engine_kwargs` the timeout of "connect_args" counts.

    A program that is killed leaves its trial RUNNING. With `heartbeat_interval` (seconds)
    trials say while they run that they do, and `optimize` ends as failed those that were
    silent for `grace_period` seconds (twice the interval), and calls
    `failed_trial_callback(study, trial)`.
    """

    _kind = "RDB"

    def __init__(self, url: str, engine_kwargs: Optional[Dict[str, Any]] = None,
                 skip_compatibility_check: bool = False, *,
                 heartbeat_interval: Optional[int] = None, grace_period: Optional[int] = None,
                 failed_trial_callback: Optional[Callable[..., None]] = None,
                 skip_table_creation: bool = False) -> None:
        found = sqlite_url(url)
        if found is None:
            raise NotServedError(
                f"{without_password(url)!r} is not served: an RDBStorage is made of an SQLite "
                f"database's URL, with three slashes: \"sqlite:///studies.db\". Optuna itself "
                f"keeps other databases, and takes this engine by "
                f"sampler=vernier_hpo.integration.optuna.VernierSampler()")
        for name, value in (("heartbeat_interval", heartbeat_interval),
                            ("grace_period", grace_period)):
            if value is not None and value <= 0:
                raise ValueError(f"{name} is a number of seconds, above 0: {value}")
        self._heartbeat = None if heartbeat_interval is None else Heartbeat(
            heartbeat_interval, grace_period or 2 * heartbeat_interval, failed_trial_callback)
        connect_args = (engine_kwargs or {}).get("connect_args") or {}
        timeout = _seconds(connect_args.get("timeout", found.timeout))
        super().__init__(functools.partial(EventDatabase, found.path, timeout))

    def _add(self, name: str, directions: List[StudyDirection],
             journal: Optional[StudyJournal]) -> StudyRecord:
        record = super()._add(name, directions, journal)
        record.heartbeat = self._heartbeat
        return record

    def remove_session(self) -> None:
        """Does nothing: no thread has a session of its own."""
