"""What optimize shows while it runs: a table in a notebook, or a line on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, Callable, Dict, Optional

from .errors import VernierError

_SECONDS_BETWEEN = 0.5


class Progress:
    """Shows a study at most twice a second. Thread-safe; shows nothing elsewhere.

    `shown` is what a notebook displays, and `describe` asks the service how it stands.
    """

    def __init__(self, shown: Any, name: str, describe: Callable[[], Dict[str, Any]],
                 n_trials: Optional[int], wants_line: bool) -> None:
        self._shown = shown
        self._name = name
        self._describe = describe
        self._n_trials = n_trials
        self._wants_line = wants_line
        self._lock = threading.Lock()
        self._done = 0
        self._shown_at = 0.0
        self._display = _notebook_display(shown)

    def update(self) -> None:
        """Counts a trial that has ended."""
        with self._lock:
            self._done += 1
            is_due = time.monotonic() - self._shown_at >= _SECONDS_BETWEEN
            if is_due:
                self._shown_at = time.monotonic()
        if is_due:
            self._show()

    def finish(self) -> None:
        """Shows the last state."""
        self._show()
        if self._wants_line and self._display is None:
            print(file=sys.stderr)

    def _show(self) -> None:
        try:
            if self._display is not None:
                self._display.update(self._shown)
            elif self._wants_line:
                total = "" if self._n_trials is None else f"/{self._n_trials}"
                best = self._describe().get("bestTrial", {})
                value = best.get("finalMeasurement", {}).get("value")
                shown = "" if value is None else f", best {value:.6g}"
                print(f"\r{self._name}: {self._done}{total} trials{shown}   ",
                      end="", file=sys.stderr, flush=True)
        except VernierError:
            pass  # The trials are told of the trouble, if it lasts.


def _notebook_display(shown: Any) -> Any:
    """A display that can be updated, or None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display(shown, display_id=True)
