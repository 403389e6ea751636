#!/usr/bin/env python3
"""How many trials a search takes to find the small part of a space that works.

usage: first_success.py --vernier PATH [--seeds 1-16] [--trials 80]

Beside that part all trials fail, or have one value (as an accuracy at chance has), or
fail in a region and have one value elsewhere. Each seed is another place of the part.
Printed for the default search, the Sobol' sequence and random search: the median and
the mean of the trials up to the first in the part, and the runs in which there is none.
"""

import argparse
import math
import os
import random
import statistics
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from suggest_engine import SuggestEngine, choice, double, numbers  # noqa: E402

ALGORITHMS = {"default": "ALGORITHM_UNSPECIFIED", "sobol": "QUASI_RANDOM_SEARCH",
              "random": "RANDOM_SEARCH"}


def cube(dimension):
    return [double(f"x{i}", 0, 1) for i in range(dimension)]


def strip(dimension, width):
    """Works in a strip of one parameter."""
    def works(rng):
        name = f"x{rng.randrange(dimension)}"
        low = rng.uniform(0, 1 - width)
        return lambda x: low <= x[name] <= low + width
    return cube(dimension), works


def box(dimension, volume):
    def works(rng):
        side = volume ** (1 / dimension)
        low = {f"x{i}": rng.uniform(0, 1 - side) for i in range(dimension)}
        return lambda x: all(low[k] <= x[k] <= low[k] + side for k in low)
    return cube(dimension), works


def corner(dimension, side):
    """Works near one corner."""
    def works(rng):
        at = {f"x{i}": rng.randrange(2) for i in range(dimension)}
        return lambda x: all(abs(x[k] - at[k]) < side for k in at)
    return cube(dimension), works


def edge(dimension, width):
    def works(rng):
        name, at = f"x{rng.randrange(dimension)}", rng.randrange(2)
        return lambda x: abs(x[name] - at) < width
    return cube(dimension), works


def band(dimension):
    """Works where the sum of all is within a tenth of some value."""
    def works(rng):
        middle = dimension * rng.uniform(0.25, 0.75)
        return lambda x: abs(sum(x.values()) - middle) < 0.1
    return cube(dimension), works


def category(count):
    """Works in one category."""
    def works(rng):
        best = f"c{rng.randrange(count)}"
        return lambda x: x["c"] == best
    return cube(3) + [choice("c", [f"c{i}" for i in range(count)])], works


def decade():
    """Works in one decade of six."""
    def works(rng):
        low = rng.uniform(-6, -1)
        return lambda x: low <= math.log10(x["rate"]) <= low + 1
    return cube(4) + [double("rate", 1e-6, 1, log=True)], works


PARTS = {"strip of 0.15, d = 2": strip(2, 0.15), "strip of 0.15, d = 5": strip(5, 0.15),
         "strip of 0.08, d = 10": strip(10, 0.08), "box of 0.05, d = 2": box(2, 0.05),
         "box of 0.05, d = 3": box(3, 0.05), "corner of 0.35, d = 3": corner(3, 0.35),
         "edge of 0.05, d = 5": edge(5, 0.05), "band of a sum, d = 6": band(6),
         "one of ten categories": category(10), "one decade of six, d = 5": decade()}

TARGETS = {"box of 0.04, d = 2": box(2, 0.04), "box of 0.06, d = 3": box(3, 0.06)}

# Where trials fail beside an even plateau.
FAILING = {"half": lambda x: x["x0"] > 0.5,
           "large sums": lambda x: sum(x.values()) > 0.5 * len(x),
           "a hole": lambda x: sum((v - 0.5) ** 2 for v in x.values()) < 0.09 * len(x),
           "all but a strip": lambda x: not 0.3 < x["x0"] < 0.6}


def everywhere(_):
    return True


def first(binary, params, works, fails, seed, algorithm, trials):
    """The trial that works; `trials` + 1 if none does."""
    engine = SuggestEngine(binary, params, seed, hyperparameters={
        "goal": "MINIMIZE", "params": params, "algorithm": algorithm})
    found = trials + 1
    for trial in range(1, trials + 1):
        asked, = engine.call({"op": "ask"})["trials"]
        if works(asked["parameters"]):
            found = trial
            break
        outcome = {"infeasible": True} if fails(asked["parameters"]) else {"value": 1}
        engine.call({"op": "tell", "id": asked["id"], **outcome})
    engine.close()
    return found


def part_of(works, fails, params, seed):
    """A part that works, and does not lie within what fails if not all else does."""
    rng = random.Random(seed)
    while True:
        part = works(rng)
        if fails is everywhere:
            return part
        for _ in range(2000):
            point = {each["parameterName"]: rng.random() for each in params}
            if part(point) and not fails(point):
                return part


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--seeds", default="1-16", type=numbers)
    parser.add_argument("--trials", default=80, type=int)
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.vernier)
    cases = [(name, part, "all else", everywhere) for name, part in PARTS.items()]
    cases += [(name, part, region, fails) for name, part in TARGETS.items()
              for region, fails in FAILING.items()]
    print(f"{'works in':26} {'fails in':16}" + "".join(
        f"{name + ': median':>18} {'mean':>8} {'none':>6}" for name in ALGORITHMS))
    for name, (params, works), region, fails in cases:
        row = f"{name:26} {region:16}"
        for algorithm in ALGORITHMS.values():
            found = [first(binary, params, part_of(works, fails, params, seed), fails,
                           seed, algorithm, arguments.trials)
                     for seed in arguments.seeds]
            row += (f"{statistics.median(found):18.1f} {statistics.fmean(found):8.1f} "
                    f"{sum(trial > arguments.trials for trial in found):6}")
        print(row, flush=True)


if __name__ == "__main__":
    main()
