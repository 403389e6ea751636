#!/usr/bin/env python3
"""Several metrics, and constraints: what each optimiser finds in so many trials.

    bench/duel/fronts/front.py --binary build/release/vernier --seeds 10 --trials 100 \\
        --jobs 2 --out build/duel/fronts.jsonl
    bench/duel/fronts/front.py --report build/duel/fronts.jsonl

Plays `vernier suggest` and, where they are installed, Optuna's samplers and Ax on
the problems of front_problems.py. With several metrics the measure is the
logarithm (base 10) of the part of the front's hypervolume that is missing after
the trials, above one reference point for all, which no player is told; with one
under constraints, of the distance to the best feasible value. Smaller is better;
0.3 is a factor of two. Each run is one line of the file; a run that is in it is
not run again. Deterministic but for what the players do by themselves.
"""

import argparse
import functools
import math
import multiprocessing
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import optimizers  # noqa: E402

os.environ.update(optimizers.ONE_THREAD)  # Before numpy.

import numpy  # noqa: E402

import bootstrap  # noqa: E402
import front_problems  # noqa: E402
import players as players_of  # noqa: E402
import results  # noqa: E402

CHECKPOINTS = (20, 30, 60, 100)


def key_of(run):
    return (run["player"], run["problem"], run["seed"], run["trials"], run["workers"])


@functools.cache
def players(binary):
    return players_of.everyone(binary)


def play(task):
    """Plays one run, and adds what came of it. Each process makes its players
    itself: a copy of a process that has threads may wait for ever.
    """
    run, problem, binary = task
    player = players(binary)[run["player"]]
    start = time.perf_counter()
    try:
        rows = player.play(problem, run["trials"], run["seed"], run["workers"])
    except Exception as error:  # noqa: BLE001  Whatever a player does ends its run only.
        return {**run, "error": f"{type(error).__name__}: {error}"}
    return {**run, "version": player.version,
            "losses": {str(count): math.log10(problem.loss(rows[:count]))
                       for count in (*CHECKPOINTS, run["trials"])
                       if count <= run["trials"]},
            "seconds": round(time.perf_counter() - start, 2)}


def wanted_tasks(arguments, done):
    """(run, problem, binary) of what is not done yet."""
    names = list(players(arguments.binary))
    if arguments.players:
        names = [name for name in names if name in arguments.players.split(",")]
    tasks = []
    for suite in arguments.suite.split(","):
        for name, make in front_problems.SUITES[suite].items():
            if not name.startswith(tuple((arguments.problems or "").split(","))):
                continue
            runs = [{"suite": suite, "player": player, "problem": name, "seed": seed,
                     "trials": arguments.trials, "workers": arguments.workers}
                    for seed in range(arguments.first_seed,
                                      arguments.first_seed + arguments.seeds)
                    for player in names]
            runs = [run for run in runs if key_of(run) not in done]
            if runs:
                problem = make()
                tasks += [(run, problem, arguments.binary) for run in runs]
    # All players' first seeds first: a series that is cut compares what is there.
    return sorted(tasks, key=lambda task: task[0]["seed"])


def table(runs, trials):
    """Mean and standard error per problem and player, and the differences."""
    losses = {}
    for run in runs:
        if "error" not in run and str(trials) in run["losses"]:
            player = run["player"] + (f" x{run['workers']}" if run["workers"] > 1 else "")
            losses.setdefault(run["problem"], {}).setdefault(player, {})[
                run["seed"]] = run["losses"][str(trials)]
    names = list(dict.fromkeys(name for row in losses.values() for name in row))
    yield f"| after {trials} trials | " + " | ".join(names) + " |"
    yield "|---|" + "---|" * len(names)
    for problem, row in losses.items():
        yield f"| {problem} | " + " | ".join(
            _cell(list(row.get(name, {}).values())) for name in names) + " |"
    for name in names:
        pairs = [_pair(row["vernier"], row[name]) for row in losses.values()
                 if name != "vernier" and name in row and "vernier" in row]
        if pairs:
            mean, low, high = bootstrap.interval(pairs)
            better, worse = bootstrap.wins_and_losses(pairs, 0.1)
            yield (f"\nvernier against {name}: {mean:+.2f} [{low:+.2f}, {high:+.2f}], "
                   f"{better} better / {worse} worse of {len(pairs)}, "
                   f"{min(pair.shape[1] for pair in pairs)} seeds or more")


def _cell(losses):
    if not losses:
        return ""
    error = numpy.std(losses, ddof=1) / math.sqrt(len(losses)) if len(losses) > 1 else 0
    return f"{numpy.mean(losses):.2f} ± {error:.2f}"


def _pair(mine, others):
    seeds = sorted(set(mine) & set(others))
    return numpy.array([[mine[seed] for seed in seeds], [others[seed] for seed in seeds]])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="build/release/vernier")
    parser.add_argument("--suite", default="fronts,constrained")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--seconds", type=float, default=math.inf,
                        help="begin no run after so many")
    parser.add_argument("--players", help="only these, with commas between them")
    parser.add_argument("--problems", help="only those whose names begin so")
    parser.add_argument("--out", default="build/duel/fronts.jsonl", help="the file of runs")
    parser.add_argument("--report", metavar="FILE", help="plays nothing")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.report:
        rows = results.read(arguments.report)
        for trials in CHECKPOINTS:
            print(*table(rows, trials), "", sep="\n")
        return
    done = results.read(arguments.out)
    tasks = wanted_tasks(arguments, {key_of(run) for run in done})
    begun = time.monotonic()
    with (multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool,
          results.Writer(arguments.out) as writer):
        for run in pool.imap_unordered(play, tasks):
            if "error" in run:
                print(run, file=sys.stderr)
            done.append(run)
            writer.add(run)
            if time.monotonic() - begun > arguments.seconds:
                pool.terminate()
                break
    print(*table(done, arguments.trials), sep="\n")


if __name__ == "__main__":
    main()
