"""Studies in an SQLite database, under the URL that Optuna has for one."""

from __future__ import annotations

import functools
import os
import re
import urllib.parse
from typing import Any, Callable, Dict, NamedTuple, Optional

from .._event_database import EventDatabase
from ..exceptions import NotServedError
from ._file_storage import FileStorage

_URL = re.compile(r"sqlite(?:\+pysqlite)?://(?:/(?P<path>[^?]*))?(?:\?(?P<query>.*))?")
_TIMEOUT = 60.0  # Seconds to wait while others write, unless a program says how long.


class SqliteUrl(NamedTuple):
    """What a URL such as "sqlite:///studies.db?timeout=10" says."""

    path: str  # Absolute, or "" for a database in memory.
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
        return SqliteUrl("", timeout)
    if path.startswith("file:"):
        raise NotServedError(f"{url!r}: a database is named by its path, not by a URI")
    return SqliteUrl(os.path.abspath(path), timeout)


def _seconds(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"timeout is a number of seconds: {value!r}") from None


class RDBStorage(FileStorage):
    """Studies that outlive the program, in an SQLite database that several processes of
    one machine may share: RDBStorage("sqlite:///studies.db").

    The database's form is this package's own: Optuna does not read it, nor this package
    Optuna's, which it leaves as it is. A program that is killed leaves its trial RUNNING.
    Of `engine_kwargs` the timeout of "connect_args" counts.
    """

    _kind = "RDB"

    def __init__(self, url: str, engine_kwargs: Optional[Dict[str, Any]] = None,
                 skip_compatibility_check: bool = False, *,
                 heartbeat_interval: Optional[int] = None, grace_period: Optional[int] = None,
                 failed_trial_callback: Optional[Callable[..., None]] = None,
                 skip_table_creation: bool = False) -> None:
        found = sqlite_url(url)
        if found is None or not found.path:
            raise NotServedError(
                f"{url!r} is not served: an RDBStorage is made of the URL of a file, such as "
                f"\"sqlite:///studies.db\"; InMemoryStorage() keeps studies in memory, and "
                f"other databases are Optuna's own, with "
                f"sampler=vernier_hpo.integration.optuna.VernierSampler()")
        if heartbeat_interval is not None or failed_trial_callback is not None:
            raise NotServedError("RDBStorage(heartbeat_interval=, failed_trial_callback=) is "
                                 "not served: a program that is killed leaves its trial "
                                 "RUNNING. A job (`vernier run`) starts such a trial again")
        connect_args = (engine_kwargs or {}).get("connect_args") or {}
        timeout = _seconds(connect_args.get("timeout", found.timeout))
        super().__init__(functools.partial(EventDatabase, found.path, timeout))

    def remove_session(self) -> None:
        """Does nothing: no thread has a session of its own."""
