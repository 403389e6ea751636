#!/usr/bin/python3
"""Measures the service end to end, with the release binary and real processes.

usage: bench/service_bench.py [NAME ...]   (default: all)

Prints one line a measurement: what, value, bar, and whether the bar is met.
Exits 1 if one is missed. The machine is named in the first line.
"""

import os
import re
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("VERNIER_BINARY", os.path.join(ROOT, "build/release/vernier"))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
from service import Service, binary, wait_for  # noqa: E402

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 1
  algorithm: RANDOM_SEARCH
  command: [{program}, {log}]
"""

missed = []


def report(what, value, unit, bar, at_least):
    met = value >= bar if at_least else value <= bar
    if not met:
        missed.append(what)
    print(f"{what:58s} {value:10.2f} {unit:9s} bar {'>=' if at_least else '<='} "
          f"{bar:<8g} {'met' if met else 'MISSED'}", flush=True)


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = re.findall(r"model name\s*: (.*)", file.read())
    return f"{len(models)} x {models[0] if models else 'unknown'}"


def build_noop(folder):
    path = os.path.join(folder, "noop_trial")
    subprocess.run(["cc", "-O2", "-static", "-o", path,
                    os.path.join(ROOT, "bench/noop_trial.c")], check=True)
    return path


def run_noop_job(service, name, trials, parallel=8):
    """Runs a job of no-op trials; returns its seconds and (start, end) pairs."""
    log = os.path.join(service.home, name + ".log")
    program = build_noop(service.home)
    begin = time.monotonic()
    service.submit(name, CONFIG.format(
        trials=trials, parallel=parallel, program=program, log=log))
    wait_for("the job to end", lambda: service.json(
        "jobs", "list", "--limit", "1")[0]["state"] == "SUCCEEDED", 600)
    seconds = time.monotonic() - begin
    with open(log, encoding="utf-8") as file:
        pairs = [tuple(map(int, line.split())) for line in file]
    assert len(pairs) == trials, (len(pairs), trials)
    return seconds, pairs


def gaps_ms(pairs, parallel):
    """Time from each end to the start that it made room for: with n running,
    the k-th end makes room for the (k + n)-th start."""
    starts = sorted(start for start, _ in pairs)
    ends = sorted(end for _, end in pairs)
    return [(start - end) / 1e6 for end, start in zip(ends, starts[parallel:])]


def bench_trials():
    with Service() as service:
        seconds, pairs = run_noop_job(service, "noop", 1000)
        report("no-op trials, 8 at a time, end to end", 1000 / seconds, "trials/s",
               100, True)
        # No bar: 8 slots that each wait less than 10 ms would be 800 trials/s.
        print(f"  end to next start with both cores busy, p50: "
              f"{statistics.median(gaps_ms(pairs, 8)):.2f} ms")
    with Service() as service:
        _, pairs = run_noop_job(service, "single", 200, parallel=1)
        report("end of a trial to start of the next, one at a time, p50",
               statistics.median(gaps_ms(pairs, 1)), "ms", 10, False)


def start_times(command, count=200):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begin)
    return times


def bench_version():
    # Interleaved, so that noise of the machine hits both alike.
    ours, theirs = [], []
    for _ in range(10):
        theirs += start_times(["/bin/true"], 30)
        ours += start_times([binary(), "version"], 30)
    report("vernier version, start to end, against /bin/true (medians)",
           statistics.median(ours) / statistics.median(theirs), "x", 1.3, False)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1)) / 1024


def bench_start_and_idle():
    with Service() as service:
        run_noop_job(service, "many", 10000)
        service.process.terminate()
        service.process.wait()
        times = []
        for _ in range(3):
            begin = time.monotonic()
            service.start(wait=False)
            wait_for("the service to answer", service.answers)
            times.append(time.monotonic() - begin)
            service.process.terminate()
            service.process.wait()
        report("service start with 10,000 finished trials",
               statistics.median(times), "s", 1, False)
    with Service() as service:
        wait_for("the start to be over", service.answers)
        time.sleep(2)
        before = cpu_seconds(service.process.pid)
        time.sleep(20)
        report("idle service, share of a core",
               100 * (cpu_seconds(service.process.pid) - before) / 20, "%", 0.5, False)
        report("idle service, resident memory", resident_mb(service.process.pid),
               "MB", 60, False)


def bench_list():
    with Service() as service:
        run_noop_job(service, "some", 100)
        times = []
        for _ in range(100):
            begin = time.perf_counter()
            service.cli("jobs", "list")
            times.append(1000 * (time.perf_counter() - begin))
        report("vernier jobs list, round trip, p50", statistics.median(times), "ms", 30,
               False)


BENCHES = {"trials": bench_trials, "version": bench_version,
           "start": bench_start_and_idle, "list": bench_list}

if __name__ == "__main__":
    print(f"machine: {machine()}")
    for chosen in sys.argv[1:] or BENCHES:
        BENCHES[chosen]()
    sys.exit(1 if missed else 0)
