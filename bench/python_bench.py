#!/usr/bin/env python3
"""How fast the Python package asks and tells, against a service of its own.

    VERNIER_BINARY=build/release/vernier bench/python_bench.py [--trials 100]

Prints trials per second of `optimize` with an objective that costs nothing, and of the
same calls made by hand over one connection (the service's time and HTTP). They take
turns, since clocks of shared machines drift. What the package itself costs is told by
the processor time of this process, which waiting for the service does not change.
"""

import argparse
import http.client
import json
import os
import statistics
import sys
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "python", "src"), os.path.join(ROOT, "tests", "e2e")]

from service import Service  # noqa: E402

import vernier_hpo as vn  # noqa: E402

SPACE = {"x": vn.Float(0, 1), "lr": vn.Float(1e-5, 1, log=True),
         "k": vn.Int(1, 8), "opt": vn.Categorical(["sgd", "adam"])}
ROUNDS = 3


def seconds_of_optimize(n_trials, n_jobs, algorithm):
    study = vn.create_study(SPACE, algorithm=algorithm)
    begin, begin_cpu = time.perf_counter(), time.process_time()
    study.optimize(lambda trial: (trial["x"] - 0.3) ** 2, n_trials=n_trials, n_jobs=n_jobs)
    return time.perf_counter() - begin, time.process_time() - begin_cpu


def seconds_by_hand(n_trials, algorithm):
    """The two calls of a trial with nothing around them."""
    study = vn.create_study(SPACE, algorithm=algorithm)
    address = study._transport.location.find()
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(address.url).netloc)
    headers = {"Authorization": "Bearer " + address.token,
               "Content-Type": "application/json"}
    path = "/v1/" + study.full_name + "/trials"

    def call(path, body):
        connection.request("POST", path, json.dumps(body), headers)
        return json.loads(connection.getresponse().read())

    begin, begin_cpu = time.perf_counter(), time.process_time()
    for _ in range(n_trials):
        answer = call(path + ":suggest", {"suggestionCount": 1, "clientId": "bench"})
        trial = answer["response"]["trials"][0]
        x = trial["parameters"][0].get("floatValue", 0.0)
        call(f"/v1/{trial['name']}:complete?fields=name", {
            "finalMeasurement": {"metrics": [{"metric": "value", "value": (x - 0.3) ** 2}]}})
    return time.perf_counter() - begin, time.process_time() - begin_cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=100)
    n = parser.parse_args().trials
    with Service() as service:
        os.environ["VERNIER_ENDPOINT"] = service.endpoint
        seconds_of_optimize(5, 1, "random")  # Connects, and warms up.
        for algorithm in ("random", "default"):
            hand, one, four = [], [], []
            for _ in range(ROUNDS):
                hand.append(seconds_by_hand(n, algorithm))
                one.append(seconds_of_optimize(n, 1, algorithm))
                four.append(seconds_of_optimize(n, 4, algorithm))
            def rate(rounds):
                return n / statistics.median(wall for wall, _ in rounds)

            def milliseconds(rounds):
                return 1e3 * min(cpu for _, cpu in rounds) / n

            print(f"{algorithm}, {n} trials: by hand {rate(hand):.0f}/s, "
                  f"n_jobs=1 {rate(one):.0f}/s, n_jobs=4 {rate(four):.0f}/s; "
                  f"processor time here: by hand {milliseconds(hand):.2f} ms a trial, "
                  f"n_jobs=1 {milliseconds(one):.2f} ms")


if __name__ == "__main__":
    main()
