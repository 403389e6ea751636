#!/usr/bin/python3
"""What one suggestion costs, and what the search still finds, after thousands of trials.

usage: run.py --vernier PATH [--engine NAME=PATH ...] [--known 2001,10000] [--trials 1000]
              [--seeds 1-3] [--suite NAME,...] [--jobs 1]

A study of ten parameters gets so many random results at once, and goes on from there,
one trial at a time. The problems are made here: a valley of ten widths, Rosenbrock's
function, two with many local optima (after Rastrigin's and Ackley's), and the valley with noise.

Printed for each engine, problem and number of known results: the medians over the seeds of
the best (true) value at a quarter of the trials and at the end, in decades; the processor
time of the engine for one trial; and its memory.
"""

import argparse
import concurrent.futures
import math
import os
import random
import statistics
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from suggest_engine import SuggestEngine, double, numbers  # noqa: E402

DIMENSIONS = 10
MIDDLE = [0.3 + 0.05 * i for i in range(DIMENSIONS)]


def valley(x):
    return sum((1 + i) * (u - m) ** 2 for i, (u, m) in enumerate(zip(x, MIDDLE)))


def rosenbrock(x):
    z = [4 * u - 2 for u in x]
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(z, z[1:])) / 1000


def rastrigin(x):
    return sum(z * z + 2 * (1 - math.cos(2 * math.pi * z))
               for z in (4 * (u - 0.1) - 2 for u in x))


def ackley(x):
    z = [10 * (u - 0.07) - 5 for u in x]
    return (20 + math.e - 20 * math.exp(-0.2 * math.sqrt(sum(a * a for a in z) / len(z)))
            - math.exp(sum(math.cos(2 * math.pi * a) for a in z) / len(z)))


# By name: the function, and the standard deviation of the noise.
PROBLEMS = {"valley": (valley, 0), "rosenbrock": (rosenbrock, 0), "rastrigin": (rastrigin, 0),
            "ackley": (ackley, 0), "valley-noisy": (valley, 0.05)}


def play(path, name, known, trials, seed):
    function, noise = PROBLEMS[name]
    rng = random.Random(f"{name} {known} {seed}")
    names = [f"x{i}" for i in range(DIMENSIONS)]
    best = math.inf

    def evaluate(parameters):
        nonlocal best
        value = function([parameters[each] for each in names])
        best = min(best, value)
        return value + noise * rng.gauss(0, 1)

    engine = SuggestEngine(path, [double(each, 0, 1) for each in names], seed)
    for _ in range(known):
        parameters = {each: rng.random() for each in names}
        engine.call({"op": "add", "parameters": parameters, "value": evaluate(parameters)})
    begin, decades = engine.processor_seconds(), []
    for n in range(1, trials + 1):
        trial = engine.call({"op": "ask"})["trials"][0]
        engine.call({"op": "tell", "id": trial["id"],
                     "value": evaluate(trial["parameters"])})
        if n in (max(1, trials // 4), trials):
            decades.append(math.log10(max(best, 1e-12)))
    cost = (engine.processor_seconds() - begin) / trials * 1000
    memory = engine.peak_megabytes()
    engine.close()
    return decades + [cost, memory]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--engine", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--known", default="2001,10000")
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seeds", default="1-3", type=numbers)
    parser.add_argument("--suite", default=",".join(PROBLEMS))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    engines = {"vernier": options.vernier, **dict(e.split("=", 1) for e in options.engine)}
    print(f"| engine | problem | known results | best after {max(1, options.trials // 4)} "
          f"more | after {options.trials} | ms of processor time a trial | MB |")
    print("|---|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for engine, path in engines.items():
            for known in (int(each) for each in options.known.split(",")):
                for name in options.suite.split(","):
                    rows = list(pool.map(
                        lambda seed: play(path, name, known, options.trials, seed),
                        options.seeds))
                    early, late, cost, memory = (
                        statistics.median(column) for column in zip(*rows))
                    print(f"| {engine} | {name} | {known:,} | {early:.1f} | {late:.1f} "
                          f"| {cost:.2f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    main()
