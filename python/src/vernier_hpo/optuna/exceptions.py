"""The exceptions of this module, under Optuna's names."""

from __future__ import annotations

from ..errors import TrialStopped


class OptunaError(Exception):
    """The class above all others here."""


class TrialPruned(OptunaError, TrialStopped):
    """Raised by an objective to end its trial early with its last reported value."""


class NotServedError(OptunaError, NotImplementedError):
    """Something of Optuna's that is not here. The message says what to use instead."""


class CLIUsageError(OptunaError):
    """Only here so that programs may name it: there is no command `optuna`."""


class StorageInternalError(OptunaError):
    """A file of studies cannot be read or written. The message says which and why."""


class DuplicatedStudyError(OptunaError):
    """The storage has a study of this name already."""


class UpdateFinishedTrialError(OptunaError, RuntimeError):
    """A trial that has ended takes no further change."""


class ExperimentalWarning(Warning):
    """Only here so that programs may silence it: nothing raises it."""


__all__ = ["CLIUsageError", "DuplicatedStudyError", "ExperimentalWarning",
           "NotServedError", "OptunaError", "StorageInternalError", "TrialPruned",
           "UpdateFinishedTrialError"]
