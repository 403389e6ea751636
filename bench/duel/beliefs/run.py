#!/usr/bin/python3
"""What beliefs about where the optimum lies are worth, and what wrong ones cost.

usage: run.py --vernier PATH [--seeds 1-5] [--trials 50] [--suite NAME,...]
              [--conditions none,right,vague,wrong] [--jobs 2]

Problems of the duel's tuning part. Each seed draws another belief about every parameter:

    none       nothing is believed
    right      near: within a tenth of the scale of the optimum, drawn at random
    vague      within a quarter of the scale, and half as sure
    wrong      the far end of each scale, and a category that is not the best

Printed: the mean log10 of the regret after some trials, and its mean difference from
`none` with a 95 % interval over problems and seeds.
"""

import argparse
import concurrent.futures
import math
import os
import random
import statistics
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import parameter_space  # noqa: E402
from condition_table import print_differences  # noqa: E402
from optima import from_unit, optimum_of, to_unit  # noqa: E402
from problems import registry  # noqa: E402
from problems.problem import TUNING  # noqa: E402
from suggest_engine import SuggestEngine, numbers  # noqa: E402

SUITE = ("response-a,response-b,response-f,response-i,response-j,response-m,response-n,"
         "response-t,branin,hartmann3,levy-d4,bbob-f06-d5,bbob-f08-d5,bbob-f14-d5,"
         "bbob-f18-d5,bbob-f21-d5")
MARKS = (1, 5, 10, 20, 30, 50)
# By condition: how far from the optimum the belief may lie, and its width, in scales.
REACH = {"right": (0.1, 0.1), "vague": (0.25, 0.2), "wrong": (0, 0.1)}


def beliefs_of(condition, problem, optimum, seed):
    """The field `beliefs`, about every parameter."""
    if condition == "none":
        return {}
    rng = random.Random(f"{problem.name}/{condition}/{seed}")
    offset, width = REACH[condition]
    beliefs = {}
    for each in problem.parameters:
        best = optimum[each.name]
        if not each.is_numeric():
            others = [value for value in each.values if value != best]
            beliefs[each.name] = {"near": rng.choice(others) if condition == "wrong" else best}
            continue
        u = to_unit(each, best)
        if condition == "wrong":
            u = 0.95 if u < 0.5 else 0.05
        else:
            u = min(1, max(0, u + rng.uniform(-offset, offset)))
        within = (f"{(each.high / each.low) ** width!r}x" if each.log
                  else width * (each.high - each.low))
        near = min(each.high, max(each.low, from_unit(each, u)))
        beliefs[each.name] = {"near": near, "within": within}
    return {"beliefs": beliefs}


def run(binary, condition, problem, optimum, seed, trials):
    """The logarithm of the regret after each trial, above the problem's floor."""
    engine = SuggestEngine(binary, parameter_space.to_spec(problem.parameters), seed,
                           **beliefs_of(condition, problem, optimum, seed))
    best, logs = math.inf, []
    for _ in range(trials):
        asked, = engine.call({"op": "ask"})["trials"]
        value = problem.evaluate(asked["parameters"])
        engine.call({"op": "tell", "id": asked["id"], "value": value})
        best = min(best, value)
        logs.append(problem.log_regret(best))
    engine.close()
    return logs


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--seeds", default="1-5", type=numbers)
    parser.add_argument("--trials", default=50, type=int)
    parser.add_argument("--suite", default=SUITE)
    parser.add_argument("--conditions", default="none,right,vague,wrong")
    parser.add_argument("--jobs", default=1, type=int)
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.vernier)
    marks = [each for each in MARKS if each <= arguments.trials]
    problems = registry.select(arguments.suite, TUNING)
    conditions = arguments.conditions.split(",")
    optima = {each.name: optimum_of(each) for each in problems}
    cases = [(condition, problem, seed) for problem in problems
             for condition in conditions for seed in arguments.seeds]

    def run_case(case):
        condition, problem, seed = case
        return run(binary, condition, problem, optima[problem.name], seed, arguments.trials)

    for each in problems:
        assert each.random_50 > each.optimum  # Computed here once, for all threads.
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        logs = {(problem.name, condition, seed): [row[each - 1] for each in marks]
                for (condition, problem, seed), row in zip(cases, pool.map(run_case, cases))}
    print(f"{'':24}" + " ".join(f"{'at ' + str(each):>6}" for each in marks))
    for problem in problems:
        for condition in conditions:
            rows = [logs[problem.name, condition, seed] for seed in arguments.seeds]
            print(f"{problem.name:16} {condition:7}"
                  + " ".join(f"{statistics.fmean(column):6.2f}" for column in zip(*rows)))
    print_differences(logs, "problems")


if __name__ == "__main__":
    main()
