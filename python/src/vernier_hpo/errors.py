"""Exceptions of this package. Each error of the service has a class by its code."""

from __future__ import annotations

from typing import Dict, Type


class VernierError(Exception):
    """An error of the service, with its own message, or of the way to it.

    `code` is the service's word for the kind, for example "NOT_FOUND".
    """

    code = "UNKNOWN"


class InvalidArgumentError(VernierError, ValueError):
    """The request is never valid."""

    code = "INVALID_ARGUMENT"


class NotFoundError(VernierError, LookupError):
    """There is no such study, trial or job."""

    code = "NOT_FOUND"


class AlreadyExistsError(VernierError):
    """There is one of this name already."""

    code = "ALREADY_EXISTS"


class FailedPreconditionError(VernierError):
    """The request does not fit the present state, for example of a trial that ended."""

    code = "FAILED_PRECONDITION"


class AbortedError(VernierError):
    """Another call came first: read again."""

    code = "ABORTED"


class PermissionDeniedError(VernierError):
    """The token does not allow this."""

    code = "PERMISSION_DENIED"


class UnauthenticatedError(VernierError):
    """There is no token, or it is not valid any more."""

    code = "UNAUTHENTICATED"


class ResourceExhaustedError(VernierError):
    """A quota, a rate or the disk is used up, or every configuration was tried."""

    code = "RESOURCE_EXHAUSTED"


class UnavailableError(VernierError, ConnectionError):
    """No service answers, or it cannot store anything now."""

    code = "UNAVAILABLE"


class UnimplementedError(VernierError):
    """The service does not offer this."""

    code = "UNIMPLEMENTED"


class InternalError(VernierError):
    """A fault of the service."""

    code = "INTERNAL"


class DataLossError(VernierError):
    """The service's data is damaged."""

    code = "DATA_LOSS"


class SpaceUsedUpError(VernierError):
    """A finite search space has no further configuration; `optimize` ends then."""

    code = "RESOURCE_EXHAUSTED"


class TrialStopped(Exception):
    """Raised by an objective to end its trial early with its last reported value."""


class IgnoredArgumentWarning(UserWarning):
    """An argument was accepted that the service in use has no place for."""


_CLASSES = (InvalidArgumentError, NotFoundError, AlreadyExistsError,
            FailedPreconditionError, AbortedError, PermissionDeniedError,
            UnauthenticatedError, ResourceExhaustedError, UnavailableError,
            UnimplementedError, InternalError, DataLossError)
_BY_CODE: Dict[str, Type[VernierError]] = {each.code: each for each in _CLASSES}


def error_of(code: str, message: str) -> VernierError:
    """The exception for one of the service's error codes; the base class's for others."""
    return _BY_CODE.get(code, VernierError)(message)
