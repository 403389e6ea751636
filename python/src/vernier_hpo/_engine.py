"""The engine by itself, `vernier suggest` in a pipe (docs/suggest.md)."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import weakref
from typing import IO, Any, Dict, cast

from ._binary import find_binary, no_vernier
from .errors import UnavailableError, error_of

Json = Dict[str, Any]

# What a pipe says whose other end is gone; Windows says EINVAL.
_ENDED = (errno.EPIPE, errno.EINVAL, errno.EBADF)


class Engine:
    """A process that suggests points for one study, which it holds in its memory.

    Not thread-safe: whoever made it asks it one thing at a time. It ends with this
    object, or with this process.
    """

    def __init__(self, study: Json) -> None:
        """Starts it with the fields of the operation `create`. InvalidArgumentError."""
        self._maker = os.getpid()
        self._process = subprocess.Popen([find_binary(), "suggest"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)
        self._end = weakref.finalize(self, _end, self._process, self._maker)
        self.call("create", **study)

    def is_of_this_process(self) -> bool:
        """Whether it may be asked: a process that was forked shares its pipes with its
        parent, whose answers it would take."""
        return self._maker == os.getpid()

    def call(self, operation: str, **fields: Any) -> Json:
        """What it answers. Raises the error that it answers, and UnavailableError if it
        is gone. Any other exception, such as KeyboardInterrupt, ends it: its answer would
        be taken for that of the next call."""
        line = json.dumps({"op": operation, **fields}) + "\n"
        try:
            found = self._answer_to(line.encode())
        except BaseException:
            self._kill()
            raise
        if "error" in found:
            raise error_of(found["error"]["code"], found["error"]["message"])
        return found

    def _answer_to(self, line: bytes) -> Json:
        given = cast(IO[bytes], self._process.stdin)
        if given.closed:
            raise UnavailableError("vernier suggest has ended")
        try:
            given.write(line)
            given.flush()
            answer = cast(IO[bytes], self._process.stdout).readline()
        except OSError as error:
            if error.errno not in _ENDED:
                raise  # It is none of the pipes', but one of a handler of signals.
            raise UnavailableError(f"vernier suggest has ended: {error}") from error
        if not answer.endswith(b"\n"):
            raise UnavailableError("vernier suggest has ended without an answer")
        try:
            found: Json = json.loads(answer)
        except ValueError:
            raise no_vernier(answer.decode(errors="replace")) from None
        return found

    def _kill(self) -> None:
        """Ends the process, also in the middle of an answer."""
        if self.is_of_this_process():
            self._process.kill()
        self.close()

    def close(self) -> None:
        """Ends the process. May be called again."""
        self._end()


def _end(process: "subprocess.Popen[bytes]", maker: int) -> None:
    for pipe in (process.stdin, process.stdout):
        try:
            cast(IO[bytes], pipe).close()
        except OSError:
            pass  # It has ended before it read everything.
    if maker == os.getpid():
        process.wait()
    else:
        process.returncode = 0  # It is another process's child, which waits for it.
