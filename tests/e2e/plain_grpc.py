"""A client of gRPC that needs the standard library alone: one call over one
plain TCP connection, in frames of HTTP/2. It reads as much or as little of an
answer as a test wants."""

import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
INITIAL_WINDOW_SIZE = 4
WIDE = 2**31 - 1


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def text(data):
    """A string of HPACK, not compressed."""
    assert len(data) < 127 + 128
    length = bytes([len(data)]) if len(data) < 127 else bytes([127, len(data) - 127])
    return length + data


def header(name, value):
    return b"\0" + text(name.encode()) + text(value.encode())


def string_field(number, value):
    """A field of a message that holds a short text."""
    return bytes([number << 3 | 2, len(value)]) + value.encode()


class Call:
    """One call. `method` is "package.Service/Method", `request` its message."""

    def __init__(self, port, token, method, request=b"", window=WIDE, timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.received = b""
        self.bytes = 0  # Of answers.
        head = b"".join(header(name, value) for name, value in (
            (":method", "POST"), (":scheme", "http"), (":path", "/" + method),
            (":authority", "localhost"), ("te", "trailers"),
            ("content-type", "application/grpc"), ("authorization", "Bearer " + token)))
        self.socket.sendall(
            PREFACE +
            frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW_SIZE, window)) +
            (frame(WINDOW, 0, 0, struct.pack(">I", WIDE - 65535)) if window == WIDE else b"") +
            frame(HEADERS, END_HEADERS, 1, head) +
            frame(DATA, END_STREAM, 1, struct.pack(">BI", 0, len(request)) + request))

    def _read(self, size):
        while len(self.received) < size:
            piece = self.socket.recv(1 << 18)
            if not piece:
                raise ConnectionError("the service has closed the connection")
            self.received += piece
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def next_frame(self):
        """(kind, flags, payload) of the next frame of the call itself."""
        while True:
            head = self._read(9)
            size = struct.unpack(">I", b"\0" + head[:3])[0]
            kind, flags = head[3], head[4]
            payload = self._read(size)
            if kind == SETTINGS and not flags & ACK:
                self.socket.sendall(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self.socket.sendall(frame(PING, ACK, 0, payload))
            elif kind == GOAWAY:
                raise ConnectionError("the service says good-bye")
            elif kind in (DATA, HEADERS):
                return kind, flags, payload

    def status(self):
        """Reads to the end of the call; the number of gRPC's status."""
        while True:
            kind, flags, payload = self.next_frame()
            if kind == DATA:
                self.bytes += len(payload)
            if kind == HEADERS and flags & END_STREAM:
                at = payload.index(b"grpc-status") + len(b"grpc-status")
                length = payload[at]
                return int(payload[at + 1:at + 1 + length])

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
