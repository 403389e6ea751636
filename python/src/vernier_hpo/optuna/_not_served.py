"""The errors of names that a module does not have."""

from __future__ import annotations

import dis
import sys

from .exceptions import NotServedError

_IMPORT_FROM = dis.opmap["IMPORT_FROM"]


class _NotServedName(NotServedError, AttributeError):
    """An AttributeError, too: hasattr and getattr with a default find no such name."""


class _NotServedImport(NotServedError, ImportError):
    """An ImportError, too, for programs that do without what cannot be imported."""


def not_served(name: str, message: str) -> Exception:
    """The error that a module's `__getattr__` raises, of names with "_" one without our
    message. It must be called there, since it depends on who has asked.

    `from module import name` would replace an AttributeError by an ImportError of its own
    words. So it is given ours.
    """
    if name.startswith("_"):
        return AttributeError(name)
    asks = sys._getframe(2)
    code = asks.f_code.co_code
    if 0 <= asks.f_lasti < len(code) and code[asks.f_lasti] == _IMPORT_FROM:
        return _NotServedImport(message)
    return _NotServedName(message)
