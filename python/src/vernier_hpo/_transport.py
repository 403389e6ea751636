"""JSON calls of a service over HTTP: connections that are reused, errors, retries."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import random
import socket
import ssl
import threading
import time
import urllib.parse
from typing import Any, Dict, List, Optional, Tuple

from ._fork import after_fork
from ._location import Address, Location
from .errors import (InternalError, UnauthenticatedError, UnavailableError, VernierError,
                     error_of)

CONNECT_SECONDS = 10.0
# A suggestion waits for the model; a call of somebody else may come first.
ANSWER_SECONDS = 300.0
# How long a call is repeated while no service answers; before one ever has, its name
# may be wrong, or it is being started.
PATIENCE_SECONDS = 60.0
FIRST_PATIENCE_SECONDS = 5.0
MOST_ANSWER_BYTES = 256 << 20
MOST_IDLE_CONNECTIONS = 16
_PIECE = 1 << 16
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 3.0
_TRANSIENT = (502, 503, 504)

Json = Dict[str, Any]


class _Refused(Exception):
    """The service answered with an error."""

    def __init__(self, status: int, error: VernierError, retry_after: float) -> None:
        super().__init__(str(error))
        self.status = status
        self.error = error
        self.retry_after = retry_after


class Transport:
    """Calls one service. Thread-safe; survives a fork, and may be pickled.

    Every call may be sent twice, because a lost connection does not tell whether it
    arrived: callers put a request id where the service would do it twice.
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self._has_answered = False
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._address: Optional[Address] = None
        self._idle: List[http.client.HTTPConnection] = []
        self._process = os.getpid()

    def __reduce__(self) -> Tuple[Any, ...]:
        return transport_to, (self.location,)

    def close(self) -> None:
        """Closes connections that are idle; the next call opens another."""
        if self._process == os.getpid():
            self._drop_connections()

    def url(self) -> str:
        """The base of the service's URLs, "http://HOST:PORT"."""
        return self._find().url

    def call(self, method: str, path: str, body: Optional[Json] = None, *,
             patience: float = PATIENCE_SECONDS) -> Json:
        """Calls, and returns the answer's JSON object.

        While no service answers, or it asks to be called later, the call is repeated
        for `patience` seconds (few, if none has ever answered), and a service of our
        own is started again. Raises the exception of the service's error code;
        UnavailableError in the end.
        """
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        end = time.monotonic() + (
            patience if self._has_answered else min(patience, FIRST_PATIENCE_SECONDS))
        pause, has_new_token = _FIRST_PAUSE, False
        while True:
            try:
                return self._call_once(method, path, data)
            except _Refused as refused:
                if isinstance(refused.error, UnauthenticatedError) and not has_new_token:
                    has_new_token = True
                    self._forget_token()
                    continue
                error: VernierError = refused.error
                # A quota that is used up has no time after which to call again.
                if refused.status not in _TRANSIENT and not refused.retry_after:
                    raise error from None
                pause = max(pause, refused.retry_after)
            except (OSError, http.client.HTTPException) as lost:
                self._drop_connections()
                error = UnavailableError(f"no answer from the service: {lost!r}")
                if isinstance(lost, UnavailableError):
                    error = lost
            if time.monotonic() + pause > end:
                raise error
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _call_once(self, method: str, path: str, data: Optional[bytes]) -> Json:
        address = self._find()
        headers = {"Authorization": "Bearer " + address.token}
        if data is not None:
            headers["Content-Type"] = "application/json"
        connection, is_new = self._take_connection(address)
        try:
            try:
                status, answer, retry_after = _exchange(
                    connection, method, path, data, headers)
            except (http.client.RemoteDisconnected, ConnectionError):
                # The service closes a connection that was idle for long. It may
                # also have been replaced, so its address is asked for again.
                if is_new:
                    raise
                self._drop_connections()
                connection.close()
                connection, _ = self._take_connection(self._find())
                status, answer, retry_after = _exchange(
                    connection, method, path, data, headers)
        except BaseException:
            connection.close()
            raise
        self._put_back(connection)
        self._has_answered = True
        return _read_answer(status, answer, retry_after)

    def _find(self) -> Address:
        if self._process != os.getpid():
            # The sockets of the process that forked stay open for it, so that
            # closing them here takes nothing from it.
            inherited = self._idle
            self._reset()
            for connection in inherited:
                connection.close()
        with self._lock:
            if self._address is None:
                self._address = self.location.find()
            return self._address

    def _forget_token(self) -> None:
        self.location.forget_token()
        with self._lock:
            self._address = None

    def _take_connection(
            self, address: Address) -> Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            if self._idle:
                return self._idle.pop(), False
        return _connect(address.url), True

    def _put_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if connection.sock is not None and len(self._idle) < MOST_IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def _drop_connections(self) -> None:
        """Has the next call ask where the service is."""
        with self._lock:
            dropped, self._idle = self._idle, []
            self._address = None
        for connection in dropped:
            connection.close()


_transports: Dict[Location, Transport] = {}
_transports_lock = threading.Lock()


def _renew_lock() -> None:
    global _transports_lock
    _transports_lock = threading.Lock()


# A thread may hold the lock at the moment when another one forks.
after_fork(_renew_lock)


def transport_to(location: Location) -> Transport:
    """The process's one transport to a service, so that connections are shared."""
    with _transports_lock:
        if location not in _transports:
            _transports[location] = Transport(location)
            atexit.register(_transports[location].close)
        return _transports[location]


def _connect(url: str) -> http.client.HTTPConnection:
    parts = urllib.parse.urlsplit(url)
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(
            parts.netloc, timeout=CONNECT_SECONDS, context=_tls_context())
    else:
        connection = http.client.HTTPConnection(parts.netloc, timeout=CONNECT_SECONDS)
    connection.connect()
    assert connection.sock is not None
    connection.sock.settimeout(ANSWER_SECONDS)
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _tls_context() -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=os.environ.get("VERNIER_TLS_CA") or None)
    certificate = os.environ.get("VERNIER_TLS_CERT")
    if certificate:
        context.load_cert_chain(certificate, os.environ.get("VERNIER_TLS_KEY"))
    return context


def _exchange(connection: http.client.HTTPConnection, method: str, path: str,
              data: Optional[bytes],
              headers: Dict[str, str]) -> Tuple[int, bytes, float]:
    connection.request(method, path, data, headers)
    response = connection.getresponse()
    answer = _read_body(response)
    try:
        retry_after = float(response.headers.get("Retry-After", "0"))
    except ValueError:
        retry_after = 0.0
    return response.status, answer, retry_after


def _read_body(response: http.client.HTTPResponse) -> bytes:
    pieces: List[bytes] = []
    size = 0
    while True:
        # In pieces, because older Pythons allocate all that they are asked to read.
        piece = response.read(_PIECE)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if size > MOST_ANSWER_BYTES:
            raise InternalError(
                f"the answer has more than {MOST_ANSWER_BYTES} bytes")


def _read_answer(status: int, answer: bytes, retry_after: float) -> Json:
    try:
        body = json.loads(answer) if answer else {}
    except ValueError:
        body = {}
    if status == 200:
        if isinstance(body, dict):
            return body
        raise InternalError("the service did not answer with a JSON object")
    error = body.get("error", {}) if isinstance(body, dict) else {}
    raise _Refused(status, error_of(
        error.get("status", ""),
        error.get("message") or f"the service answered with status {status}"), retry_after)
