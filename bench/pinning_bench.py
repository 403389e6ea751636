#!/usr/bin/python3
"""Measures how long a submission takes that pins a folder of many small files,
beside `cp -r` and `sync` of the same folder, in turns, on the same disk.

    bench/pinning_bench.py [--files 10000] [--rounds 5] [--folder DIR]

The time is that of `vernier jobs submit training`: process, call, copy, sync and
commit together. Exits 1 if the median is above 2 s, or above 1.5 times the median
of cp and sync.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("VERNIER_BINARY", os.path.join(ROOT, "build/release/vernier"))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
sys.path.insert(0, os.path.join(ROOT, "bench"))
from service import Service, binary  # noqa: E402
from service_bench import machine, missed, report  # noqa: E402

ALLOWED_SECONDS = 2.0
ALLOWED_OF_COPY = 1.5
FILES_IN_A_FOLDER = 100
JOB = "trainingInput: {{}}\nvernier: {{command: [/bin/true], codeDir: {folder}}}\n"


def make_files(folder, count):
    """Like a source tree: small files of different sizes, a hundred a folder."""
    for number in range(count):
        parent = os.path.join(folder, f"package_{number // FILES_IN_A_FOLDER}")
        os.makedirs(parent, exist_ok=True)
        with open(os.path.join(parent, f"module_{number}.py"), "w",
                  encoding="utf-8") as file:
            file.write(f"VALUE_{number} = {number}\n" * (1 + number % 60))


def timed(*command, env=None):
    subprocess.run(["sync"], check=True)  # Nobody's leftovers are measured.
    begin = time.monotonic()
    subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def measure(arguments, folder):
    source = os.path.join(folder, "source")
    make_files(source, arguments.files)
    copies, pins = [], []
    with Service() as service:
        environment = {**os.environ, "VERNIER_ENDPOINT": service.endpoint}
        config = service.write("job.yaml", JOB.format(folder=source))
        for number in range(arguments.rounds):
            target = os.path.join(folder, f"copy_{number}")
            copies.append(timed("sh", "-c", 'cp -r "$1" "$2" && sync', "sh", source,
                                target))
            pins.append(timed(binary(), "jobs", "submit", "training", f"pin_{number}",
                              "--config", config, env=environment))
    return copies, pins


def show(what, seconds):
    print(f"{what:12s} median {statistics.median(seconds):.2f} s   "
          + " ".join(f"{each:.2f}" for each in seconds), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", default=os.path.join(ROOT, "build"))
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pinning-bench-", dir=arguments.folder)
    # The service's data lies on the same disk.
    tempfile.tempdir = folder
    print(f"machine: {machine()}; {arguments.files} files", flush=True)
    try:
        copies, pins = measure(arguments, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    show("cp -r; sync", copies)
    show("submission", pins)
    of_pin, of_copy = statistics.median(pins), statistics.median(copies)
    report("submission of many small files", of_pin, "s", ALLOWED_SECONDS, False)
    report("submission against cp -r and sync", of_pin / of_copy, "x",
           ALLOWED_OF_COPY, False)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
