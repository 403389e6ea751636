"""The file of results: a JSON object a line, one line a finished run."""

import json
import os
import threading

KEY = ("problem", "optimizer", "seed", "mode", "workers")


def key_of(row):
    return tuple(row[name] for name in KEY)


def read(path):
    """All rows. A last line that was cut is no row."""
    rows = []
    if not os.path.exists(path):
        return rows
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n") and line.strip():
                rows.append(json.loads(line))
    return rows


class Writer:
    """Appends rows, each durable when `add` returns. Thread-safe."""

    def __init__(self, path):
        _drop_cut_line(path)
        self._file = open(path, "a", encoding="utf-8")
        self._lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def add(self, row):
        line = json.dumps(row) + "\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())


def _drop_cut_line(path):
    """A run that was killed may have left the start of a line."""
    if not os.path.exists(path):
        return
    with open(path, "rb+") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
