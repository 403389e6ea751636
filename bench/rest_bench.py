#!/usr/bin/python3
"""Measures the REST interface with wrk, the release binary and a real job.

usage: bench/rest_bench.py [SECONDS]   (default: 10)

Needs Debian's `wrk`. Prints one line a measurement: what, value, bar, and
whether the bar is met. Exits 1 if one is missed. Client and service share the
machine, which the first line names.
"""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("VERNIER_BINARY", os.path.join(ROOT, "build/release/vernier"))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
sys.path.insert(0, os.path.join(ROOT, "bench"))
from service import Service  # noqa: E402
import service_bench as bench  # noqa: E402

MILLISECONDS = {"us": 1e-3, "ms": 1.0, "s": 1e3}


def percentile(text, which):
    value, unit = re.search(rf"^ +{which}%\s+([\d.]+)(us|ms|s)\b", text,
                            re.MULTILINE).groups()
    return float(value) * MILLISECONDS[unit]


def run_wrk(url, token, seconds, connections=50):
    result = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(connections), "--duration",
         f"{seconds}s", "--latency", "--header", f"Authorization: Bearer {token}", url],
        check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in result or "Socket errors" in result:
        raise RuntimeError(result)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", result).group(1))
    return rate, percentile(result, "99")


def main(arguments):
    seconds = int(arguments[0]) if arguments else 10
    if shutil.which("wrk") is None:
        print("rest_bench: install Debian's wrk", file=sys.stderr)
        return 1
    print(bench.machine())
    with Service("--http", "127.0.0.1:0",
                 "--max-requests-per-second", "0") as service:
        program = bench.build_noop(service.home)
        service.submit("j1", bench.CONFIG.format(
            trials=100, parallel=8, program=program,
            log=os.path.join(service.home, "log")))
        service.wait_state("j1", "SUCCEEDED")
        url = service.json("info")["httpUrl"] + "/v1/projects/default/jobs"
        token = service.cli("tokens", "create", "--scope", "admin").stdout.strip()
        run_wrk(url + "/j1", token, 1)
        rate, p99 = run_wrk(url + "/j1", token, seconds)
        bench.report("jobs.get of 100 trials, 50 keep-alive clients", rate, "calls/s",
                     3000, True)
        bench.report("  its p99", p99, "ms", 40, False)
        rate, p99 = run_wrk(url, token, seconds)
        bench.report("jobs.list of one job, 50 keep-alive clients", rate, "calls/s",
                     1000, True)
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
