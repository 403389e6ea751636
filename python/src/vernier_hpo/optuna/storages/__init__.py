"""Where studies are kept: in the memory of this program, or in a file.

Optuna's other storages are refused when they are made, with what to use instead.
"""

from __future__ import annotations

from typing import Any

from .._not_served import not_served
from ..exceptions import NotServedError
from . import journal
from ._in_memory import InMemoryStorage
from ._journal_storage import (JournalFileBackend, JournalFileOpenLock,
                               JournalFileSymlinkLock, JournalStorage)
from ._rdb_storage import RDBStorage, path_of_url

_INSTEAD = (
    "here studies are kept in memory (storage=None, InMemoryStorage()) or in a file "
    "('sqlite:///PATH', JournalStorage(JournalFileBackend(path))). For other storages: Optuna "
    "itself with "
    "sampler=vernier_hpo.integration.optuna.VernierSampler() keeps any storage of Optuna's "
    "and takes this engine, `vernier serve --optuna HOST:PORT` is a storage for Optuna's "
    "GrpcStorageProxy, and vernier_hpo.create_study keeps a study in the service")

BaseStorage = InMemoryStorage
JournalFileStorage = JournalFileBackend


def storage_of(storage: Any) -> InMemoryStorage:
    """The storage for an argument `storage=`. NotServedError for what is not served."""
    if storage is None:
        return InMemoryStorage()
    if isinstance(storage, InMemoryStorage):
        return storage
    if isinstance(storage, str):
        in_memory = path_of_url(storage) is None
        return InMemoryStorage() if in_memory else RDBStorage(storage)
    raise NotServedError(f"the storage {storage!r} is not served: {_INSTEAD}")


def get_storage(storage: Any) -> InMemoryStorage:
    """The storage itself, a new one in memory for None, or that of a URL of SQLite.
    NotServedError for another URL."""
    return storage_of(storage)


class _Refused:
    """A storage of Optuna's that is not here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotServedError(f"{type(self).__name__} is not served: {_INSTEAD}")


class JournalRedisStorage(_Refused):
    """Raises NotServedError."""


class GrpcStorageProxy(_Refused):
    """Raises NotServedError."""


def __getattr__(name: str) -> Any:
    raise not_served(name, f"storages.{name} is not served: {_INSTEAD}")


__all__ = ["BaseStorage", "GrpcStorageProxy", "InMemoryStorage", "JournalFileBackend",
           "JournalFileOpenLock", "JournalFileStorage", "JournalFileSymlinkLock",
           "JournalRedisStorage", "JournalStorage", "RDBStorage", "get_storage", "journal"]
