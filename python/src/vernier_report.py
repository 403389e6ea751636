"""Reports metrics to Vernier from a training program. Copy it beside yours.

    from vernier_report import report, should_stop
    report(epoch, loss=0.5, accuracy=0.9)
    if should_stop(): break

Neither raises nor waits for the network, and outside Vernier both do nothing. What cannot
be delivered, as on a full disk, is kept and tried again. If that is in vain until the
program's end, the program ends with status 75, by which the service tries the trial again:
its last value would be an older one.
"""

import atexit
import collections
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any, Deque, Dict, List

_MOST = 10000  # Lines that wait; of more, the oldest are dropped.
_PATIENCE = 8.0  # Seconds that the program's end waits for the service.
_lock = threading.RLock()
_unwritten: Deque[str] = collections.deque(maxlen=_MOST)  # To $VERNIER_METRICS.
_unsent: Deque[str] = collections.deque(maxlen=_MOST)  # To $VERNIER_REPORT_URL.
_state: Dict[str, Any] = {"stop": False, "thread": None, "cut": 0, "why": None,
                          "is_registered": False, "is_over": False}
_news = threading.Event()


def report(step: int, **metrics: float) -> None:
    """Reports the metrics of a step; numbers, or what float() takes.

    None says that there is no number, as NaN does. Any other value is sent as it is, and
    the service names it with the trial, so that it is not missed in silence.
    """
    try:
        line = {name: _sendable(value) for name, value in metrics.items()}
        _say({**line, "step": int(step), "time": time.time()})
    except Exception:  # Training is worth more than a report of it.
        pass


def _sendable(value: Any) -> Any:
    if value is None:
        return None
    try:
        return float(value)
    except Exception:
        return value if isinstance(value, (list, tuple)) and len(value) < 100 and all(
            isinstance(each, (int, float)) for each in value) else str(value)[:200]


def set_attribute(name: str, value: Any) -> None:
    """Keeps a value under a name with the trial: anything that JSON can say."""
    _say({"attributes": {name: value}})


def _say(line: Dict[str, Any]) -> None:
    try:
        text = json.dumps(line)
        path = os.environ.get("VERNIER_METRICS", "")
        if path and os.path.isdir(os.path.dirname(path)):
            with _lock:
                _register()
                _unwritten.append(text)
                _write(path)
        elif os.environ.get("VERNIER_REPORT_URL"):
            _unsent.append(text)
            _start()
    except Exception:  # Training is worth more than a report of it.
        pass


def should_stop() -> bool:
    """Whether the trial is to end early. Known some seconds after it is so."""
    if os.environ.get("VERNIER_REPORT_URL"):
        _start()
    return bool(_state["stop"])


def _write(path: str) -> None:
    """Appends what waits, as far as there is room; of a cut line later the rest."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            while _unwritten:
                rest = (_unwritten[0] + "\n").encode()[_state["cut"]:]
                written = os.write(file, rest)
                _state["cut"] += written
                if written == len(rest):
                    _unwritten.popleft()
                    _state["cut"] = 0
        finally:
            os.close(file)
    except OSError as error:
        _state["why"] = f"{path}: {error.strerror}"


def _register() -> None:
    if not _state["is_registered"]:
        _state["is_registered"] = True
        atexit.register(_end)


def _start() -> None:
    _news.set()
    with _lock:
        if _state["thread"] is None:
            thread = threading.Thread(target=_send, daemon=True)
            _state["thread"] = thread
            _register()
            thread.start()


def _end() -> None:
    if _unwritten:
        _write(os.environ.get("VERNIER_METRICS", ""))
    _state["is_over"] = True
    _news.set()
    if _state["thread"] is not None:
        _state["thread"].join(_PATIENCE + 6)
    lost = len(_unwritten) + len(_unsent)
    # A program that fails by itself has said more.
    if lost == 0 or hasattr(sys, "last_type"):
        return
    print(f"vernier: {lost} reports could not be delivered: {_state['why']}", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(75)


def _send() -> None:
    deadline = None
    while True:
        _news.wait(3)
        _news.clear()
        if _state["is_over"] and deadline is None:
            deadline = time.monotonic() + _PATIENCE
        if deadline is None:
            _news.wait(1)  # Collects for a while, so that many reports are one call.
        pending = [_unsent[i] for i in range(min(len(_unsent), 1000))]
        is_done = _post(pending)
        if is_done:
            for each in pending:
                if _unsent and _unsent[0] is each:
                    _unsent.popleft()
        if deadline is not None and (not _unsent or time.monotonic() >= deadline):
            return
        if not is_done:  # The service is restarted; what is pending waits.
            time.sleep(0.25 if deadline is not None else 1)
        if _unsent:
            _news.set()


def _post(lines: List[str]) -> bool:
    """Whether the service has them, or will never take them."""
    request = urllib.request.Request(
        os.environ["VERNIER_REPORT_URL"], "\n".join(lines).encode(),
        {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            _state["stop"] = bool(json.load(answer).get("shouldStop"))
        return True
    except urllib.error.HTTPError as error:
        with error:
            _state["why"] = f"the service answers {error.code}"
            if error.code == 400 and len(lines) > 1:  # One of them is at fault.
                half = len(lines) // 2
                return all([_post(lines[:half]), _post(lines[half:])])
            return 400 <= error.code < 500 and error.code not in (408, 429)
    except Exception as error:
        _state["why"] = f"the service does not answer: {error}"
        return False
