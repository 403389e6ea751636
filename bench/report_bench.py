#!/usr/bin/python3
"""1,000 workers that report one metric a second over HTTP, each time by a new
connection, as vernier_report.py does, while the service is killed and started
again in the middle.

usage: bench/report_bench.py [--workers N] [--seconds S]

Prints the latency of the reports, leaving out those that the restart cut off,
and compares what was acknowledged with what the service has in the end. Exits 1
if a bar is missed or a report was lost. The machine is named in the first line.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service_bench import Service, machine, missed, report, wait_for  # noqa: E402
from service import free_port  # noqa: E402

TRIALS = 20
P99_MS = 25

JOB = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {trials}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  seed: 1
  algorithm: RANDOM_SEARCH
  command: [/bin/sh, -c, 'echo $VERNIER_REPORT_URL > {home}/$CLOUD_ML_TRIAL_ID.part;
    mv {home}/$CLOUD_ML_TRIAL_ID.part {home}/$CLOUD_ML_TRIAL_ID.url;
    while [ ! -e {home}/go ]; do sleep 1; done']
"""


class Worker:
    """One worker: reports a step each second, and again what got no answer."""

    def __init__(self, number, url, latencies):
        parts = urllib.parse.urlparse(url)
        self.number = number
        self.host, self.port, self.path = parts.hostname, parts.port, parts.path
        self.latencies = latencies
        self.acknowledged = []
        self.cut_off = 0

    async def send(self, body):
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            await self.exchange(body, reader, writer)
        finally:
            writer.close()

    async def exchange(self, body, reader, writer):
        writer.write(
            (f"POST {self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
             "Content-Type: application/json\r\n"
             f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        answer = await reader.readexactly(length)
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise OSError(f"{head!r} {answer!r}")

    async def run(self, begin, end):
        next_at = begin + random.random()
        step = 0
        while next_at < end:
            await asyncio.sleep(max(0, next_at - time.monotonic()))
            step += 1
            metric = f"w{self.number // TRIALS}"
            value = self.number * 100000 + step
            body = json.dumps({"step": step, "time": 1e9 + step, metric: value})
            started = time.monotonic()
            tried_again = False
            while True:
                try:
                    await asyncio.wait_for(self.send(body), 30)
                    break
                except (OSError, EOFError, asyncio.TimeoutError):
                    tried_again = True
                    await asyncio.sleep(0.2)
            self.acknowledged.append((metric, step, value))
            if tried_again:
                self.cut_off += 1
            else:
                self.latencies.append(1000 * (time.monotonic() - started))
            next_at = max(next_at + 1, time.monotonic())


async def kill_in_the_middle(service, seconds):
    await asyncio.sleep(seconds / 2)
    service.kill()
    service.start(wait=False)


async def load(service, workers, seconds):
    begin = time.monotonic() + 2
    tasks = [worker.run(begin, begin + seconds) for worker in workers]
    await asyncio.gather(kill_in_the_middle(service, 2 + seconds), *tasks)


def count_lost(service, workers):
    """Reports that were acknowledged and are not there."""
    lost = 0
    for trial in range(1, TRIALS + 1):
        stored = {(one["metric"], int(one.get("step", 0)), one["value"])
                  for one in service.json("trials", "measurements", "job", str(trial),
                                          "--limit", "100000")}
        for worker in workers:
            if worker.number % TRIALS == trial - 1:
                lost += sum(one not in stored for one in worker.acknowledged)
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=60)
    flags = parser.parse_args()
    print(f"machine: {machine()}; the load comes from the same machine")
    latencies = []
    with Service("--http", f"127.0.0.1:{free_port()}", "--max-concurrent-replicas",
                 str(TRIALS)) as service:
        config = service.write("job.yaml", JOB.format(trials=TRIALS, home=service.home))
        service.cli("jobs", "submit", "training", "job", "--config", config)
        paths = [os.path.join(service.home, f"{n}.url") for n in range(1, TRIALS + 1)]
        wait_for("all trials to run", lambda: all(map(os.path.exists, paths)))
        urls = [open(path, encoding="utf-8").read().strip() for path in paths]
        workers = [Worker(n, urls[n % TRIALS], latencies) for n in range(flags.workers)]
        asyncio.run(load(service, workers, flags.seconds))
        wait_for("the service to answer", service.answers)
        count = sum(len(worker.acknowledged) for worker in workers)
        lost = count_lost(service, workers)
        service.write("go", "")
    latencies.sort()
    print(f"{count} reports were acknowledged, {sum(w.cut_off for w in workers)} of "
          "them at a second try, after the restart")
    report("reports in a second", count / flags.seconds, "1/s", 0.9 * flags.workers, True)
    report("latency, median", latencies[len(latencies) // 2], "ms", P99_MS, False)
    report("latency, 99th percentile", latencies[len(latencies) * 99 // 100], "ms",
           P99_MS, False)
    report("acknowledged reports that were lost", lost, "", 0, False)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
