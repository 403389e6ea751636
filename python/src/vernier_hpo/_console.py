"""The command `vernier`: becomes the packed program."""

from __future__ import annotations

import os
import sys

from ._binary import find_binary
from .errors import FailedPreconditionError


def main() -> int:
    """Runs the program with this process's arguments; returns only if there is none."""
    try:
        program = find_binary()
    except FailedPreconditionError as error:
        print(f"vernier: {error}", file=sys.stderr)
        return 1
    os.execv(program, ["vernier", *sys.argv[1:]])
