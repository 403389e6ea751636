#!/usr/bin/env python3
"""The least loss that a front of so many points can have, whoever finds them.

    bench/duel/fronts/limits.py --points 100

A front of a hundred points misses a part of the volume below the true front even
if each of them lies on it. For each problem of front_problems.py the points are
chosen from a dense front, one after the other, each where it adds most. That is
at least 1 - 1/e of what the best choice would add, and in practice close to it
(Nemhauser, Wolsey and Fisher 1978, "An analysis of approximations for maximizing
submodular set functions"). Prints the logarithm (base 10) of the loss.
"""

import argparse
import heapq
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import front_problems  # noqa: E402


def dense_front(problem):
    """Undominated rows of metrics, many more than a search has trials."""
    if isinstance(problem, front_problems.Bowls):
        rows = problem._front(problem.metrics)
        return front_problems.undominated(rows)
    return front_problems.evolved_front(problem, 1)[:, :problem.metrics]


def least_loss(problem, points):
    """The loss of `points` rows of the dense front, chosen greedily."""
    rows = dense_front(problem)
    chosen, volume = [], 0.0
    # What a row adds only shrinks, so that an old gain is an upper bound.
    gains = [(-math.inf, index) for index in range(len(rows))]
    heapq.heapify(gains)
    while gains and len(chosen) < points:
        _, index = heapq.heappop(gains)
        gain = front_problems.hypervolume(
            [rows[each] for each in (*chosen, index)], problem.reference) - volume
        if gains and gain < -gains[0][0]:
            heapq.heappush(gains, (-gain, index))
            continue
        chosen.append(index)
        volume += gain
    return max(1 - volume / problem.volume, front_problems.SMALLEST_LOSS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=100)
    arguments = parser.parse_args()
    for name, make in front_problems.SUITES["fronts"].items():
        print(f"{name}: {math.log10(least_loss(make(), arguments.points)):.2f}",
              flush=True)


if __name__ == "__main__":
    main()
