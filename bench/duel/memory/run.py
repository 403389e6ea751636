#!/usr/bin/env python3
"""What the memory of earlier studies is worth.

usage: run.py --vernier PATH [--seeds 1-5] [--trials 50] [--families network,...]
              [--conditions none,memory8,...]

Tasks of own families (tasks.py). Each seed is another task, with earlier studies of 50
trials of other tasks of its family. Conditions:

    none       no memory
    first8     the best point of each of eight sisters first, as given points
    memory8    eight sisters in `priorStudies`
    first1, memory1    one sister
    differ8    eight sisters with other names and bounds, one parameter that they have
               not and one that only they have
    inverted8  eight sisters whose values have the wrong sign
    random8    eight studies of values drawn at random

Printed: the mean log10 of the normalised regret after some trials, and its mean
difference from `none` with a 95 % interval over tasks.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tasks  # noqa: E402
from condition_table import print_differences  # noqa: E402
from suggest_engine import SuggestEngine, double, numbers, snapped  # noqa: E402

SISTERS = 8
MARKS = (1, 3, 5, 10, 20, 30, 50)


def prior(name, params, done):
    return {"name": name, "goal": "MINIMIZE", "params": params,
            "trials": [{"parameters": point, "value": value} for point, value in done]}


def different(params, done, rng):
    """The study as one of a team that calls and bounds things otherwise."""
    numeric = [each for each in params if each["type"] != "CATEGORICAL"]
    missing = rng.choice(numeric)["parameterName"]
    bounded = rng.choice([each for each in numeric if each["parameterName"] != missing])
    low, high = bounded["minValue"], bounded["maxValue"]
    middle = math.sqrt(low * high) if bounded["scaleType"] == "UNIT_LOG_SCALE" else (low + high) / 2
    names = {each["parameterName"]: "their_" + each["parameterName"] for each in params
             if each["parameterName"] != missing}
    space = [dict(each, parameterName=names[each["parameterName"]])
             for each in params if each["parameterName"] != missing]
    space.append(double("extra", 0, 1))
    trials = []
    for point, value in done:
        if point[bounded["parameterName"]] > middle and rng.random() < 0.5:
            continue  # Their range ends before ours does, mostly.
        new = {names[name]: each for name, each in point.items() if name in names}
        new["extra"] = rng.random()
        trials.append((new, value))
    found = prior("", space, trials)
    found["rename"] = {theirs: ours for ours, theirs in names.items()}
    return found


def priors_of(condition, family, seed):
    if condition == "none":
        return []
    count = int(condition[-1])
    sisters = [tasks.task(family, f"{seed}/sister{i}") for i in range(count)]
    rng = random.Random(f"{family}/{seed}/{condition}")
    found = []
    for i, sister in enumerate(sisters):
        done = sister.study()
        if condition.startswith("inverted"):
            done = [(point, -value) for point, value in done]
        elif condition.startswith("random"):
            done = [(point, rng.gauss(0, 1)) for point, _ in done]
        if condition.startswith("differ"):
            found.append(different(sister.params, done, rng))
        else:
            found.append(prior(f"sister {i + 1}", sister.params, done))
    return found


def run(binary, condition, family, seed, trials):
    """The regret after each trial, and the seconds of each suggestion."""
    target = tasks.task(family, f"{seed}/target")
    priors = priors_of(condition, family, seed)
    is_first = condition.startswith("first")
    fields = {"priorStudies": priors} if priors and not is_first else {}
    engine = SuggestEngine(binary, target.params, seed, **fields)
    given = [min(each["trials"], key=lambda trial: trial["value"])["parameters"]
             for each in priors] if is_first else []
    best, regrets, seconds = math.inf, [], []
    for i in range(trials):
        if i < len(given):
            point = snapped(target.params, dict(given[i]))
            value = target.value(point)
            engine.call({"op": "add", "parameters": point, "value": value})
        else:
            start = time.perf_counter()
            asked, = engine.call({"op": "ask"})["trials"]
            seconds.append(time.perf_counter() - start)
            value = target.value(asked["parameters"])
            engine.call({"op": "tell", "id": asked["id"], "value": value})
        best = min(best, value)
        regrets.append(target.regret(best))
    engine.close()
    return regrets, seconds


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--seeds", default="1-5", type=numbers)
    parser.add_argument("--trials", default=50, type=int)
    parser.add_argument("--families", default=",".join(tasks.FAMILIES))
    parser.add_argument("--conditions", default="none,first8,memory8,first1,memory1,"
                                                "differ8,inverted8,random8")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.vernier)
    marks = [each for each in MARKS if each <= arguments.trials]
    families = arguments.families.split(",")
    logs = {}
    print(f"{'family':10} {'condition':10} "
          + " ".join(f"{'at ' + str(each):>6}" for each in marks) + "   ms, median and most")
    for family in families:
        for condition in arguments.conditions.split(","):
            all_seconds = []
            for seed in arguments.seeds:
                regrets, seconds = run(binary, condition, family, seed, arguments.trials)
                logs[family, condition, seed] = [math.log10(regrets[each - 1])
                                                 for each in marks]
                all_seconds += seconds
            rows = [logs[family, condition, seed] for seed in arguments.seeds]
            print(f"{family:10} {condition:10} "
                  + " ".join(f"{statistics.fmean(column):6.2f}" for column in zip(*rows))
                  + f"   {1e3 * statistics.median(all_seconds or [0]):.0f}"
                    f" {1e3 * max(all_seconds, default=0):.0f}", flush=True)
    print_differences(logs, "families")


if __name__ == "__main__":
    main()
