#!/usr/bin/python3
"""Measures a service that holds very many trials, with the release binary.

usage: bench/size_bench.py [--data FOLDER] [TRIALS ...]   (default: 100000 1000000)

A study of each size is made by large_study, with ten parameters and 20
measurements a trial; with --data it is kept in FOLDER/TRIALS for the next run.
Prints one line a measurement: what, value, bar, and whether the bar is met.
Exits 1 if one is missed. The machine is named in the first line.
"""

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("VERNIER_BINARY", os.path.join(ROOT, "build/release/vernier"))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
sys.path.insert(0, os.path.join(ROOT, "bench"))
from service import Service, binary, wait_for  # noqa: E402
import service_bench as bench  # noqa: E402

LARGE_STUDY = os.environ.get(
    "VERNIER_LARGE_STUDY", os.path.join(ROOT, "build/release/bench/large_study"))
POINTS = 20
# Seconds of `trials best` and of the first 50 of a list, up to so many trials.
BARS = [(100000, 0.2, 0.3), (1000000, 1, 1)]
# Each is a list whose first 50 trials are asked for.
LISTS = {
    "by number": [],
    "sorted by value": ["--sort", "objective"],
    "sorted by a parameter, descending": ["--sort", "-lr"],
    "sorted by a text": ["--sort", "optimizer"],
    "best of a state": ["--sort", "best", "--filter", "state=completed"],
    "by two parameters": ["--filter", "lr<0.001 AND optimizer:adam"],
    "by a filter that few pass, sorted": [
        "--filter", "objective<0.3 AND width>=1000", "--sort", "-momentum"],
    "by a filter that none passes": ["--filter", "lr>2"],
}
ROUNDS = 5


def make(trials, folder):
    """Makes the study unless FOLDER has it."""
    if os.path.exists(os.path.join(folder, "done")):
        return
    shutil.rmtree(folder, ignore_errors=True)
    begin = time.monotonic()
    subprocess.run([LARGE_STUDY, folder, "large", str(trials), str(POINTS)], check=True)
    with open(os.path.join(folder, "done"), "w", encoding="utf-8"):
        pass
    print(f"  made {trials} trials in {time.monotonic() - begin:.0f} s", flush=True)


def run_client(service, *words):
    """Seconds, peak MB and bytes of one client's run."""
    begin = time.monotonic()
    client = subprocess.Popen(
        [binary(), *words, "--endpoint", service.endpoint],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    size = 0
    while piece := client.stdout.read(1 << 20):
        size += len(piece)
    _, status, usage = os.wait4(client.pid, 0)
    client.returncode = os.waitstatus_to_exitcode(status)
    if client.returncode != 0:
        raise AssertionError(f"{words} ended with {client.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024, size


def median_seconds(service, *words):
    return statistics.median(run_client(service, *words)[0] for _ in range(ROUNDS))


def start(service):
    begin = time.monotonic()
    service.start(wait=False)
    wait_for("the service to answer", service.answers, 600)
    return time.monotonic() - begin


def measure_start(service, trials):
    first = start(service)
    service.process.terminate()
    service.process.wait()
    # Once more: now the machine has read the database, if it fits its memory.
    seconds = start(service)
    # A busy machine changes this less than the bar's value.
    print(f"  first start: {first:.2f} s; processor time of the second: "
          f"{bench.cpu_seconds(service.process.pid):.2f} s", flush=True)
    bench.report(f"{trials} trials: start of the service", seconds, "s",
                 10 if trials > 100000 else 2, at_least=False)
    bench.report(f"{trials} trials: resident after the start",
                 bench.resident_mb(service.process.pid), "MB",
                 1024 if trials > 100000 else 256, at_least=False)


def measure_lists(service, trials):
    best, some = next((best, some) for most, best, some in BARS if trials <= most)
    bench.report(f"{trials} trials: best", median_seconds(service, "trials", "best", "large"),
                 "s", best, at_least=False)
    for name, flags in LISTS.items():
        seconds = median_seconds(service, "trials", "list", "large", "--limit", "50", *flags)
        bench.report(f"{trials} trials: 50 {name}", seconds, "s", some, at_least=False)


def measure_stream(service, trials):
    before = bench.resident_mb(service.process.pid)
    words = ["trials", "list", "large", "--format", "json"]
    _, few_mb, _ = run_client(service, *words, "--limit", "1000")
    seconds, all_mb, size = run_client(service, *words)
    print(f"  all {trials} trials as JSON: {seconds:.1f} s, {size / 2**20:.0f} MB of text",
          flush=True)
    bench.report(f"{trials} trials: the client's memory against 1,000 trials",
                 all_mb / few_mb, "x", 1.3, at_least=False)
    bench.report(f"{trials} trials: more memory in the service",
                 bench.resident_mb(service.process.pid) - before, "MB", 32, at_least=False)


def measure(trials, folder):
    make(trials, folder)
    service = Service()
    service.data = folder
    try:
        measure_start(service, trials)
        measure_lists(service, trials)
        measure_stream(service, trials)
        bench.report(f"{trials} trials: resident at the end",
                     bench.resident_mb(service.process.pid), "MB",
                     1024 if trials > 100000 else 256, at_least=False)
    finally:
        service.__exit__()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data")
    parser.add_argument("trials", nargs="*", type=int)
    arguments = parser.parse_args()
    print(f"machine: {bench.machine()}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = arguments.data
        if folder is None:
            home = Service().home  # Short enough for a socket's path.
            stack.callback(shutil.rmtree, home, ignore_errors=True)
            folder = home
        for trials in arguments.trials or [most for most, _, _ in BARS]:
            measure(trials, os.path.join(folder, str(trials)))
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
