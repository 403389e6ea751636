"""The calls of `optimize` that run on one study."""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Callable, Iterator, List, Protocol, Tuple


class Stoppable(Protocol):
    """A call of `optimize`."""

    def stop(self) -> None:
        """Begins no further trial."""


class Runs:
    """The calls that run now. Several threads may call `optimize` at once, but what runs
    in one of its trials may not call it for the same study. Thread-safe. A copy of a
    study begins with none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: List[Stoppable] = []  # Guarded by the lock.
        self._inside = threading.local()

    def __reduce__(self) -> Tuple[Callable[[], Any], Tuple[()]]:
        """What makes a copy."""
        return Runs, ()

    @contextlib.contextmanager
    def running(self, run: Stoppable) -> Iterator[None]:
        """Keeps a call while it runs. RuntimeError inside of a trial of the study."""
        if getattr(self._inside, "trials", False):
            raise RuntimeError("optimize is not called inside of an objective of the same study")
        with self._lock:
            self._runs.append(run)
        try:
            yield
        finally:
            with self._lock:
                self._runs.remove(run)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """While this thread runs trials of the study."""
        self._inside.trials = True
        try:
            yield
        finally:
            self._inside.trials = False

    def stop(self) -> bool:
        """Has all calls begin no further trial. Whether there was any."""
        with self._lock:
            runs = list(self._runs)
        for each in runs:
            each.stop()
        return bool(runs)
