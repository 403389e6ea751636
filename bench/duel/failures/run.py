#!/usr/bin/env python3
"""How many trainings die, and how soon a search is good in spite of that.

usage: run.py --vernier PATH [--seeds 1-5] [--trials 80] [--families language,small]
              [--kinds memory,divergence,both] [--shares 0.15,0.36,0.6]

Each row is the mean over seeds, which are instances of the family (families.py): the
share that dies among the first 10 and 50 trials and after these; the trials to two
levels, that which one of fifty and one of five hundred random trainings that live
reaches (medians, `trials` where it is not reached).
"""

import argparse
import os
import statistics
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import families  # noqa: E402
from suggest_engine import SuggestEngine, numbers  # noqa: E402


def run(binary, training, seed, trials):
    """The value of each trial; None where it died."""
    engine = SuggestEngine(binary, training.params, seed)
    values = []
    for _ in range(trials):
        asked, = engine.call({"op": "ask"})["trials"]
        value = training.value(asked["parameters"])
        outcome = {"infeasible": True} if value is None else {"value": value}
        engine.call({"op": "tell", "id": asked["id"], **outcome})
        values.append(value)
    engine.close()
    return values


def dead(values):
    return sum(value is None for value in values) / max(1, len(values))


def first_at(values, level):
    return next((i for i, value in enumerate(values, 1)
                 if value is not None and value <= level), len(values))


class Row:
    """What some runs came to."""

    def __init__(self):
        self._dead = []
        self._first = []

    def add(self, training, values):
        self._dead.append([dead(values[:10]), dead(values[:50]), dead(values[50:])])
        self._first.append([first_at(values, level) for level in training.levels])

    def extend(self, other):
        self._dead += other._dead
        self._first += other._first

    def __str__(self):
        shares = " ".join(f"{100 * statistics.fmean(column):7.1f}"
                          for column in zip(*self._dead))
        firsts = " ".join(f"{statistics.median(column):7.1f}"
                          for column in zip(*self._first))
        return f"{shares}  {firsts}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--vernier", required=True)
    parser.add_argument("--seeds", default="1-5", type=numbers)
    parser.add_argument("--trials", default=80, type=int)
    parser.add_argument("--families", default=",".join(families.FAMILIES))
    parser.add_argument("--kinds", default=",".join(families.KINDS))
    parser.add_argument("--shares", default=",".join(map(str, families.SHARES)))
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.vernier)
    print(f"{'':28} dead in %: 10      50   later  trials to 2 %  0.2 %")
    everything = Row()
    for family in arguments.families.split(","):
        for kind in arguments.kinds.split(","):
            for share in map(float, arguments.shares.split(",")):
                row = Row()
                for seed in arguments.seeds:
                    training = families.training(kind, family, share, seed)
                    row.add(training, run(binary, training, seed, arguments.trials))
                everything.extend(row)
                print(f"{family:10} {kind:11} {share:5} {row}", flush=True)
    print(f"{'all':28} {everything}")


if __name__ == "__main__":
    main()
