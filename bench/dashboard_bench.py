#!/usr/bin/python3
"""Measures the dashboard's page in Debian's Chromium, with the release binary.

usage: bench/dashboard_bench.py [TRIALS ...]   (default: 10000 100000)

Prints one line a measurement: what, value, bar, and whether the bar is met.
Exits 1 if one is missed. Browser and service share the machine, which the first
line names; there is no GPU in it.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("VERNIER_BINARY", os.path.join(ROOT, "build/release/vernier"))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
sys.path.insert(0, os.path.join(ROOT, "bench"))
from dashboard_test import QUADRATIC, install  # noqa: E402
from service import Service, wait_for  # noqa: E402
import service_bench as bench  # noqa: E402

LARGE_STUDY = os.environ.get(
    "VERNIER_LARGE_STUDY", os.path.join(ROOT, "build/release/bench/large_study"))
# The bars of 10,000 and of 100,000 trials.
BRUSH = {10000: 60, 100000: 250}

# Each trial reports some values with pauses, so that a page has news all the time.
SLOW = """
import sys, time
for step in range(1, 61):
    print(f"step={step} loss={1 / step}", flush=True)
    time.sleep(1)
"""


def page_bytes():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["node", os.path.join(ROOT, "web/build.mjs"), folder], check=True,
                       stdout=subprocess.DEVNULL)
        total = 0
        for where, _, names in os.walk(folder):
            for name in names:
                if name.endswith((".html", ".js", ".css")):
                    with open(os.path.join(where, name), "rb") as file:
                        total += len(gzip.compress(file.read(), 9))
        return total


def measure(service, what, study):
    address = service.cli("ui", "--no-browser").stdout.strip()
    result = subprocess.run(
        ["node", os.path.join(ROOT, "bench/dashboard.mjs"), what, address, study],
        check=True, capture_output=True, text=True, timeout=600)
    return json.loads(result.stdout)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_share(service, seconds=30):
    before = cpu_seconds(service.process.pid)
    time.sleep(seconds)
    return (cpu_seconds(service.process.pid) - before) / seconds


def measure_large(trials):
    service = Service()
    subprocess.run([LARGE_STUDY, service.data, "large", str(trials), "20"], check=True)
    with service:
        if trials <= 10000:
            paint = measure(service, "paint", "large")["milliseconds"]
            bench.report(f"first paint of a study, {trials} trials", paint, "ms", 1000,
                         at_least=False)
        brush = measure(service, "brush", "large")
        bench.report(f"brush in parallel coordinates, {trials} trials, longest frame",
                     brush["worst"], "ms", BRUSH.get(trials, 250), at_least=False)
        bench.report("  from a move to the last line drawn, median", brush["whole"], "ms",
                     BRUSH.get(trials, 250), at_least=False)
        if not brush["brushed"]:
            raise AssertionError("the drag brushed nothing")
        table = measure(service, "table", "large")
        bench.report(f"scroll of the table, {trials} trials, longest frame",
                     table["worst"], "ms", 100, at_least=False)
        bench.report("filter of the table, longest frame",
                     measure(service, "filter", "large")["worst"], "ms", 100,
                     at_least=False)
        memory = measure(service, "memory", "large")["megabytes"]
        bench.report(f"memory of the tab, {trials} trials", memory, "MB", 250,
                     at_least=False)


def measure_tabs():
    with Service() as service:
        program = service.write("slow.py", SLOW)
        service.submit("live", QUADRATIC.format(trials=40, program=program))
        wait_for("trials to run", lambda: service.json("trials", "list", "live"))
        time.sleep(5)
        alone = cpu_share(service)
        address = service.cli("ui", "--no-browser").stdout.strip()
        browser = subprocess.Popen(
            ["node", os.path.join(ROOT, "bench/dashboard.mjs"), "tabs", address, "live"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            browser.stdout.readline()
            time.sleep(5)
            watched = cpu_share(service)
        finally:
            browser.stdin.close()
            browser.wait(60)
        bench.report("CPU of the service for 20 tabs of a running study",
                     100 * (watched - alone), "% of a core", 5, at_least=False)


def main(arguments):
    print(bench.machine())
    install()
    bench.report("page, script and style, compressed", page_bytes() / 1024, "KiB", 100,
                 at_least=False)
    for trials in [int(word) for word in arguments] or [10000, 100000]:
        measure_large(trials)
    measure_tabs()
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
