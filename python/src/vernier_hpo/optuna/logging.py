"""The log: a line per trial at INFO, on standard error unless it is switched off."""

from __future__ import annotations

import logging
import sys
import threading
from logging import CRITICAL, DEBUG, ERROR, FATAL, INFO, WARN, WARNING

_NAME = "vernier_hpo.optuna"
_lock = threading.Lock()
_handler: "logging.Handler | None" = None  # Guarded by the lock.


class _StandardError(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to what is sys.stderr now, and not to what it was at the import."""

    def emit(self, record: logging.LogRecord) -> None:
        """Writes one line."""
        self.stream = sys.stderr
        super().emit(record)


def _root() -> logging.Logger:
    """The logger, which is set up at its first use."""
    global _handler
    logger = logging.getLogger(_NAME)
    with _lock:
        if _handler is None:
            _handler = _StandardError()
            _handler.setFormatter(create_default_formatter())
            logger.addHandler(_handler)
            logger.setLevel(INFO)
            logger.propagate = False
    return logger


def create_default_formatter() -> logging.Formatter:
    """How a line is written: the level's letter, the time and the message."""
    return logging.Formatter("[%(levelname).1s %(asctime)s] %(message)s")


def get_logger(name: str) -> logging.Logger:
    """A logger of this name below the module's own, whose settings hold for it."""
    _root()
    return logging.getLogger(_NAME if name in ("optuna", _NAME) else f"{_NAME}.{name}")


def get_verbosity() -> int:
    """The level below which nothing is logged."""
    return _root().getEffectiveLevel()


def set_verbosity(verbosity: int) -> None:
    """Logs nothing below a level, such as WARNING."""
    _root().setLevel(verbosity)


def disable_default_handler() -> None:
    """Writes nothing to standard error."""
    logger = _root()
    assert _handler is not None
    logger.removeHandler(_handler)


def enable_default_handler() -> None:
    """Writes to standard error, as at the beginning."""
    logger = _root()
    assert _handler is not None
    logger.addHandler(_handler)


def disable_propagation() -> None:
    """Keeps lines from the program's own handlers, as at the beginning."""
    _root().propagate = False


def enable_propagation() -> None:
    """Passes lines to the program's own handlers, too."""
    _root().propagate = True


__all__ = ["CRITICAL", "DEBUG", "ERROR", "FATAL", "INFO", "WARN", "WARNING",
           "create_default_formatter", "disable_default_handler", "disable_propagation",
           "enable_default_handler", "enable_propagation", "get_logger", "get_verbosity",
           "set_verbosity"]
