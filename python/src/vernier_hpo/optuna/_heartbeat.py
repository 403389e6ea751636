"""Trials that say while they run that they do, so that those of killed programs are known."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
from typing import Any, Iterator

from ._record import StudyRecord


def seconds_now() -> float:
    """Seconds since 1970."""
    return time.time()


@contextlib.contextmanager
def beating(record: StudyRecord, number: int) -> Iterator[None]:
    """While a trial runs: has it say so, if its storage asks for that."""
    heartbeat = record.heartbeat
    if heartbeat is None:
        yield
        return
    record.beat(number, seconds_now())
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(heartbeat.interval):
            record.beat(number, seconds_now())

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def fail_stale_trials(study: Any) -> None:
    """Ends as failed what killed programs have left running, and tells the storage's
    `failed_trial_callback` of each. Does nothing unless the storage has a heartbeat."""
    heartbeat = study._record.heartbeat
    if heartbeat is None:
        return
    for trial in study._record.fail_silent(seconds_now() - heartbeat.grace):
        if heartbeat.on_failed is not None:
            heartbeat.on_failed(study, copy.deepcopy(trial))
