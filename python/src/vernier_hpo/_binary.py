"""Where the `vernier` program is, which starts services and submits jobs."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from typing import Any, Dict, List, Optional, Sequence

from .errors import (FailedPreconditionError, InvalidArgumentError, NotFoundError,
                     UnavailableError, VernierError)

# Exit codes of the program that have a meaning of their own (docs/command-line.md).
_BAD_INPUT, _NOT_THERE, _NO_SERVICE = 2, 3, 4

_MOST_SHOWN = 80  # Characters of an answer in an error.


def packed_binary() -> str:
    """The path of the program inside this package, whether it is there or not."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bin", "vernier")


def find_binary() -> str:
    """$VERNIER_BINARY, else the package's own, else the one in PATH.

    Raises FailedPreconditionError if there is none.
    """
    named = os.environ.get("VERNIER_BINARY")
    if named:
        if os.access(named, os.X_OK):
            return named
        raise FailedPreconditionError(f"VERNIER_BINARY is not a program: {named}")
    if os.access(packed_binary(), os.X_OK):
        return packed_binary()
    for found in _in_path("vernier"):
        return found
    elsewhere = ("a service elsewhere is named by endpoint= or "
                 "VERNIER_ENDPOINT=http://HOST:PORT, with VERNIER_TOKEN")
    if not sys.platform.startswith("linux"):
        raise FailedPreconditionError(
            "a service and the command vernier run on Linux only, and here the package calls "
            f"one elsewhere: {elsewhere}")
    raise FailedPreconditionError(
        "there is no vernier program: install a wheel that has it, put it into PATH, "
        f"or name it by VERNIER_BINARY; {elsewhere}")


def _in_path(name: str) -> List[str]:
    """Programs of this name in PATH that are no Python script, such as our own."""
    found = []
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = shutil.which(name, path=folder) if folder else None
        if path is None:
            continue
        try:
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    found.append(path)
        except OSError:
            continue  # It may be run, but not read; so it is not known what it is.
    return found


def _with_home(env: Optional[Dict[str, str]]) -> Dict[str, str]:
    """The environment with a HOME, which cron and containers may leave out."""
    found = dict(os.environ if env is None else env)
    if not found.get("HOME"):
        import pwd  # Windows has none, and no program of ours to run.
        try:
            found["HOME"] = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            pass  # A user without a name; the service says what it needs.
    return found


# What the command line advises, and the same for a Python program.
_WORDS = (
    (r"vernier jobs extend \S+( --\S+ \S+)*? --max-trials N", "job.extend(N)"),
    (r"vernier jobs update \S+( --\S+ \S+)*? --code DIR", "job.update(code=DIR)"),
    (r"add --restart", "add restart=True"),
    (r"add a larger --max-trials N", "give a larger n_trials"),
    (r"another --name\b", "another name="),
    (r"--data-dir\b", "storage="),
    (r"--endpoint\b", "endpoint="),
)


def in_python(text: str) -> str:
    """What the program says, in the words of this package."""
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text


def described_by_binary(words: Sequence[str]) -> Dict[str, Any]:
    """What the program describes as JSON. FailedPreconditionError if it is another one."""
    answer = run_binary([*words, "--format", "json"])
    try:
        found = json.loads(answer)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise no_vernier(answer)
    return found


def no_vernier(answer: str) -> FailedPreconditionError:
    """The error for a program that answers something else than ours."""
    return FailedPreconditionError(
        f"{find_binary()} is another program than vernier, or another version: it answers "
        f"{answer[:_MOST_SHOWN]!r}")


def run_binary(words: Sequence[str], *, cwd: Optional[str] = None,
               env: Optional[Dict[str, str]] = None,
               timeout: float = 600) -> str:
    """Runs the program and returns what it printed; its notes go to standard error.

    Raises the error that its exit code stands for, with its own words.
    """
    try:
        result = subprocess.run(
            [find_binary(), *words], cwd=cwd, env=_with_home(env), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
            check=False)
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(
            f"vernier {words[0]} did not end within {timeout:.0f} s") from error
    except OSError as error:
        if error.errno == errno.E2BIG:
            raise InvalidArgumentError(
                f"args and env have {sum(map(len, words))} bytes, more than a command line "
                f"takes: put what is long into a file, and name that") from None
        raise FailedPreconditionError(
            f"the program vernier cannot be run: {error}") from error
    notes = in_python(result.stderr.decode("utf-8", "replace"))
    if result.returncode == 0:
        if notes:
            print(notes, end="", file=sys.stderr)
        return result.stdout.decode("utf-8", "replace")
    message = notes.strip()
    if message.startswith("vernier: "):
        message = message[len("vernier: "):]
    kinds = {_BAD_INPUT: InvalidArgumentError, _NOT_THERE: NotFoundError,
             _NO_SERVICE: UnavailableError}
    raise kinds.get(result.returncode, VernierError)(
        message or f"vernier {words[0]} ended with {result.returncode}")
