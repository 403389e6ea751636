#!/usr/bin/python3
"""What points from outside are worth by who proposes them, and what bad ones cost.

usage: run.py --vernier PATH [--seeds 1-3] [--trials 50] [--suite NAME,...]
              [--sources none,oracle,...] [--shares 0.1,0.5,1] [--workers 1] [--jobs 2]

Problems of the duel's tuning part. Before each trial the source proposes a point with the
probability of its share:

    none       nobody proposes anything
    oracle     within a twentieth of each scale of the optimum, drawn at random
    vague      within a quarter of each scale
    random     anywhere
    adversary  within a twentieth of the end of each scale that is far from the optimum,
               and with a category that is not the best
    worst      the worst of 50 random points
    stalling   within a twentieth of each scale of the study's fifth best trial
    mixed      an oracle and an adversary under one name, in turn by the throw of a coin
    both       an oracle and an adversary under two names, each with its share

Printed: the mean log10 of the regret after some trials, its mean difference from `none`
with a 95 % interval over problems and seeds, and how many proposals were tried.
"""

import argparse
import concurrent.futures
import math
import os
import random
import statistics
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import numpy as np  # noqa: E402
import parameter_space  # noqa: E402
from condition_table import print_differences  # noqa: E402
from optima import from_unit, optimum_of, to_unit  # noqa: E402
from problems import registry  # noqa: E402
from problems.problem import TUNING, random_point, stable_seed  # noqa: E402
from suggest_engine import SuggestEngine, numbers  # noqa: E402

SUITE = ("response-a,response-b,response-f,response-i,response-j,response-m,response-n,"
         "response-t,branin,hartmann3,levy-d4,bbob-f06-d5,bbob-f08-d5,bbob-f14-d5,"
         "bbob-f18-d5,bbob-f21-d5")
MARKS = (10, 20, 30, 50, 100)
NEAR = 0.05


def around(problem, point, reach, rng):
    """A point whose numbers are within `reach` of those of `point`, in scales."""
    moved = dict(point)
    for each in problem.parameters:
        if each.name in point and each.is_numeric():
            u = to_unit(each, point[each.name]) + rng.uniform(-reach, reach)
            value = min(each.high, max(each.low, from_unit(each, min(1, max(0, u)))))
            moved[each.name] = round(value) if each.kind == "INTEGER" else value
    return moved


def far_end(problem, optimum, rng):
    point = {}
    for each in problem.parameters:
        best = optimum[each.name]
        if each.is_numeric():
            point[each.name] = from_unit(each, 1 if to_unit(each, best) < 0.5 else 0)
        else:
            point[each.name] = rng.choice([value for value in each.values if value != best])
    return around(problem, point, NEAR, rng)


def proposed(source, problem, optimum, told, rng, points):
    """The next point of a source; None: it has none."""
    if source == "oracle":
        return around(problem, optimum, NEAR, rng)
    if source == "vague":
        return around(problem, optimum, 0.25, rng)
    if source == "adversary":
        return far_end(problem, optimum, rng)
    if source == "mixed":
        return proposed(rng.choice(["oracle", "adversary"]), problem, optimum, told, rng, points)
    if source == "stalling":
        ranked = sorted(told, key=lambda each: each[0])
        return around(problem, ranked[4][1], NEAR, rng) if len(ranked) > 4 else None
    drawn = [random_point(problem.parameters, points)
             for _ in range(50 if source == "worst" else 1)]
    return max(drawn, key=problem.evaluate)


def run(binary, source, share, problem, optimum, seed, trials, workers):
    """The logarithm of the regret after each trial, and how many were proposed."""
    engine = SuggestEngine(binary, parameter_space.to_spec(problem.parameters), seed)
    rng = random.Random(f"{problem.name}/{source}/{share}/{seed}")
    points = np.random.default_rng(stable_seed("proposals", problem.name, source, seed))
    names = {"none": [], "both": ["oracle", "adversary"]}.get(source, [source])
    best, logs, told, running, taken = math.inf, [], [], [], 0
    while len(logs) < trials:
        for name in names:
            if rng.random() < share:
                point = proposed(name, problem, optimum, told, rng, points)
                if point is not None:
                    engine.call({"op": "propose", "source": name, "parameters": point})
        while len(running) < workers:
            running.extend(engine.call({"op": "ask"})["trials"])
        trial = running.pop(0)
        taken += "source" in trial
        value = problem.evaluate(trial["parameters"])
        engine.call({"op": "tell", "id": trial["id"], "value": value})
        told.append((value, trial["parameters"]))
        best = min(best, value)
        logs.append(problem.log_regret(best))
    engine.close()
    return logs, taken


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--seeds", default="1-3", type=numbers)
    parser.add_argument("--trials", default=50, type=int)
    parser.add_argument("--suite", default=SUITE)
    parser.add_argument("--sources",
                        default="none,oracle,vague,random,adversary,worst,stalling,mixed,both")
    parser.add_argument("--shares", default="0.1,0.5,1")
    parser.add_argument("--workers", default=1, type=int)
    parser.add_argument("--jobs", default=1, type=int)
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.vernier)
    marks = [each for each in MARKS if each <= arguments.trials]
    problems = registry.select(arguments.suite, TUNING)
    optima = {each.name: optimum_of(each) for each in problems}
    shares = [float(share) for share in arguments.shares.split(",")]
    cases = [(source, share, problem, seed) for problem in problems
             for source in arguments.sources.split(",")
             for share in (shares if source != "none" else [0.0])
             for seed in arguments.seeds]

    def run_case(case):
        source, share, problem, seed = case
        return run(binary, source, share, problem, optima[problem.name], seed,
                   arguments.trials, arguments.workers)

    for each in problems:
        assert each.random_50 > each.optimum  # Computed here once, for all threads.
    logs, taken = {}, {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (source, share, problem, seed), (row, tried) in zip(cases, pool.map(run_case, cases)):
            condition = source if source == "none" else f"{source} {share:g}"
            logs[problem.name, condition, seed] = [row[each - 1] for each in marks]
            taken.setdefault(condition, []).append(tried)
    print("trials   " + " ".join(f"{mark:6}" for mark in marks) + "  proposals tried")
    for condition, counts in taken.items():
        rows = [row for (_, each, _), row in logs.items() if each == condition]
        print(f"{condition:14}"
              + " ".join(f"{statistics.fmean(column):6.2f}" for column in zip(*rows))
              + f"  {statistics.fmean(counts):.1f}")
    print_differences(logs, "problems")


if __name__ == "__main__":
    main()
