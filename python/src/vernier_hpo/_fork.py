"""What a child of fork does first."""

from __future__ import annotations

import os
from typing import Callable


def after_fork(callback: Callable[[], None]) -> None:
    """Has every child call this. On Windows, where nothing forks, it does nothing."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=callback)
