"""Names under which this process asks for trials.

The service hands a client its own open trials again. So each open trial has a name of
its own, which a repeated call keeps: a call that was lost makes no second trial. The
name says which process of which machine has the trial, so that the trials of one that
was killed can be taken over.
"""

from __future__ import annotations

import os
import re
import socket
import threading
from typing import List, Optional

from ._fork import after_fork

_NAME = re.compile(r"^python/(?P<host>[^/]+)/(?P<boot>[^/]+)/(?P<space>[^/]+)/"
                   r"(?P<pid>\d+)-(?P<start>\d+)/\d+$")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _start_of(pid: int) -> Optional[str]:
    """When a process began, in ticks since boot; None if it is gone."""
    text = _read(f"/proc/{pid}/stat")
    # The program's name, in parentheses, may hold anything.
    fields = text[text.rfind(")") + 1:].split()
    return fields[19] if len(fields) > 19 and fields[0] != "Z" else None


def _boot() -> str:
    return _read("/proc/sys/kernel/random/boot_id").strip() or "0"


def _host() -> str:
    return re.sub(r"[^\w.-]", "_", socket.gethostname())


def _pid_space() -> str:
    """In another container the same number is another process."""
    try:
        return re.sub(r"\D", "", os.readlink("/proc/self/ns/pid")) or "0"
    except OSError:
        return "0"


class ClientNames:
    """Hands out names that no open trial of this process has. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: List[str] = []
        self._made = 0
        self._process = 0
        self._prefix = ""
        # A thread may hold the lock at the moment when another one forks.
        after_fork(self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def take(self) -> str:
        """A name that is free. After a fork the child has names of its own."""
        with self._lock:
            if self._process != os.getpid():
                self._free, self._made, self._process = [], 0, os.getpid()
                start = _start_of(self._process) or "0"
                self._prefix = (f"python/{_host()}/{_boot()}/{_pid_space()}/"
                                f"{self._process}-{start}/")
            if self._free:
                return self._free.pop()
            self._made += 1
            return f"{self._prefix}{self._made}"

    def give_back(self, name: str) -> None:
        """The trial of this name has ended. Names of other processes are left alone."""
        with self._lock:
            if self._process == os.getpid() and name.startswith(self._prefix):
                self._free.append(name)


def is_of_dead_process(name: str) -> bool:
    """Whether a client was a process of this machine that has ended."""
    match = _NAME.match(name)
    if match is None:
        return False
    if match["host"] != _host() or not os.path.isdir("/proc/self"):
        return False
    if match["boot"] != _boot():
        return True  # The machine was started again since.
    if match["space"] != _pid_space():
        return False
    return _start_of(int(match["pid"])) != match["start"]
