"""The file of a JournalStorage, under the name that Optuna has for this module."""

from typing import Any

from .._not_served import not_served
from ._journal_storage import (JournalFileBackend, JournalFileOpenLock, JournalFileSymlinkLock,
                               JournalStorage)


def __getattr__(name: str) -> Any:
    raise not_served(name, f"storages.journal.{name} is not served: a JournalFileBackend(path) "
                           f"locks its file itself")


__all__ = ["JournalFileBackend", "JournalFileOpenLock", "JournalFileSymlinkLock",
           "JournalStorage"]
