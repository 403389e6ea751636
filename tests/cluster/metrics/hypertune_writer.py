"""Writes a metric file as the cloudml-hypertune package does.

A report appends to a list of the last 100 records, opens the file with 'w',
and writes the whole list; a new writer begins with an empty list.

usage: hypertune_writer.py FILE REPORTS REPORTS_PER_WRITER PAUSE_SECONDS
"""

import collections
import json
import os
import sys
import time


class Writer:
    def __init__(self, path):
        self.path = path
        self.records = collections.deque(maxlen=100)
        os.makedirs(os.path.dirname(path), exist_ok=True)

    def report(self, tag, value, step):
        self.records.append(json.dumps({
            "timestamp": time.time(),
            "trial": "1",
            tag: str(float(value)),
            "global_step": str(int(step) if step else 0),
            "checkpoint_path": "",
        }, sort_keys=True))
        with open(self.path, "w") as file:
            file.writelines(record + "\n" for record in self.records)


def main():
    path, reports, per_writer, pause = sys.argv[1:]
    writer = None
    for step in range(int(reports)):
        if step % int(per_writer) == 0:
            writer = Writer(path)
        writer.report("loss", 1 / (step + 1), step)
        time.sleep(float(pause))


if __name__ == "__main__":
    main()
