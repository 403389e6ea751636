"""Studies in the file that a URL of SQLite names."""

from __future__ import annotations

import re
from typing import Any, Callable, Optional

from .. import logging as _logging
from ..exceptions import NotServedError
from ._in_memory import InMemoryStorage
from ._journal_storage import JournalFileBackend, JournalStorage

_log = _logging.get_logger("optuna")
_SQLITE = re.compile(r"sqlite(?:\+\w+)?://(?:/(?P<path>[^?]*))?(?:\?.*)?", re.DOTALL)
_IN_MEMORY = ("", ":memory:")
_INSTEAD = (
    "databases of servers are kept by Optuna itself, with sampler=vernier_hpo.integration."
    "optuna.VernierSampler(), which takes this engine; processes on several machines share a "
    "study of the service (vernier_hpo.create_study)")


def path_of_url(url: str) -> Optional[str]:
    """The file that a URL such as sqlite:///studies.db or sqlite:////tmp/studies.db names,
    None for a database in memory. NotServedError for another kind of URL."""
    match = _SQLITE.fullmatch(url)
    if match is None or (match["path"] or "").startswith("file:"):
        shown = re.sub(r"(?<=://)[^/]*@", "", url)  # Without a password.
        raise NotServedError(f"the storage {shown!r} is not served: of URLs a file's alone is, "
                             f"sqlite:///PATH with three slashes; {_INSTEAD}")
    path = match["path"] or ""
    return None if path in _IN_MEMORY else path


class RDBStorage(JournalStorage):
    """Studies that outlive the program, in the file of a URL: RDBStorage("sqlite:///a.db"),
    for which `storage="sqlite:///a.db"` is short.

    The file is that of a JournalStorage, whatever its name says, and both take one that
    the other has made. A database of Optuna's is refused and stays as it is. Databases of
    servers are not served, nor is `failed_trial_callback`; `heartbeat_interval` does
    nothing, which a warning says: a trial of a program that is killed stays RUNNING. A
    database in memory (sqlite:///:memory:) is an InMemoryStorage.
    """

    _KIND = "RDB"

    def __new__(cls, url: Optional[str] = None, *_: Any, **__: Any) -> Any:
        """Without a URL it is a copy that is made."""
        if url is not None and path_of_url(url) is None:
            return InMemoryStorage()
        return super().__new__(cls)

    def __init__(self, url: str, engine_kwargs: Any = None,
                 skip_compatibility_check: bool = False, *,
                 heartbeat_interval: Optional[int] = None, grace_period: Optional[int] = None,
                 failed_trial_callback: Optional[Callable[..., None]] = None,
                 skip_table_creation: bool = False) -> None:
        if failed_trial_callback is not None:
            raise NotServedError("failed_trial_callback is not served: a trial of a program "
                                 "that is killed stays RUNNING; jobs of the service run such "
                                 "trials again (docs/from-optuna.md)")
        if heartbeat_interval is not None:
            _log.warning("heartbeat_interval does nothing: a trial of a program that is "
                         "killed stays RUNNING")
        path = path_of_url(url)
        assert path is not None, "__new__ has made another storage"
        super().__init__(JournalFileBackend(path))
