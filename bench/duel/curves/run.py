#!/usr/bin/env python3
"""Tunes trainings whose curves are known, with a simulated clock.

An epoch takes one unit of time, or with --seconds as long as the problem says.
Each run ends when all workers together have used the budget, or with --trials
after so many trials, however short; a row holds when which final values became
known.
"""
import argparse
import hashlib
import heapq
import json
import os
import pathlib
import shlex
import shutil
import sys
import time

# With more threads the last bit of a surrogate's value is another one, and the
# search that is told it goes another way. Before numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from players import make_player
from problems import chosen

BEST = 3  # So many of the truly best ought to be trained to their end.
TRAININGS = 30  # The budget of one worker, and half as much for each of more.


class Budget:
    """Epochs (or seconds), or trials; how much of it is used."""

    def __init__(self, problem, workers, by_seconds, trials):
        self._trials = trials
        length = problem.median_seconds() if by_seconds else problem.epochs
        self._time = TRAININGS * length * (1 if workers == 1 else workers / 2)
        self.ended = 0
        self.spent = 0

    def share(self):
        if self._trials:
            return self.ended / self._trials
        return self.spent / self._time


def play(problem, player, workers, by_seconds=False, trials=None):
    budget = Budget(problem, workers, by_seconds, trials)
    row = {"finals": [], "trials": 0, "stops": 0, "at_first": 0, "wrong": []}
    best = None
    ends = []  # Of all that have ended: where they would have ended, and whether not.
    running = {}
    events = []  # (time, worker): a worker has finished an epoch.

    def start(worker, now):
        if trials and row["trials"] == trials:
            return
        trial, values = player.ask(max(0.0, 1 - budget.share()))
        epoch = problem.epoch_seconds(values) if by_seconds else 1
        running[worker] = [trial, problem.curve(values), 0, epoch, problem.end(values)]
        row["trials"] += 1
        heapq.heappush(events, (now + epoch, worker))

    for worker in range(workers):
        start(worker, 0)
    while events and budget.share() < 1:
        now, worker = heapq.heappop(events)
        state = running[worker]
        trial, curve, _, epoch, end = state
        budget.spent += epoch
        state[2] += 1
        step = state[2]
        value = float(curve[step - 1])
        is_over = step == len(curve)
        stop = player.report(trial, step, value)
        if not is_over and not stop:
            heapq.heappush(events, (now + epoch, worker))
            continue
        budget.ended += 1
        ends.append((end, not is_over))
        if is_over:
            player.tell(trial, value, epoch * len(curve))
            best = end if best is None else min(best, end)
            row["finals"].append([budget.share(), end])
        else:
            player.stopped(trial)
            row["stops"] += 1
            row["at_first"] += step == 1
            if best is None or end < best:
                row["wrong"].append([budget.share(), end])
        start(worker, now)
    row["spent"] = round(budget.spent, 3)
    row["best_stopped"] = sum(stopped for _, stopped in sorted(ends)[:BEST])
    return row


def digest_of(program):
    """What tells one build from another; runs of two are no one table."""
    place = shutil.which(program)
    if place is None:
        return ""
    return hashlib.sha256(pathlib.Path(place).read_bytes()).hexdigest()[:12]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", default="vernier,vernier:auto")
    parser.add_argument("--problems", default="", help="parts of names, with commas")
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--vernier", default="build/release/vernier suggest")
    parser.add_argument("--out", required=True)
    parser.add_argument(
        "--seconds", action="store_true", help="trainings take as long as they took"
    )
    parser.add_argument(
        "--trials", type=int, help="the budget is so many trials, not epochs"
    )
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    command = shlex.split(arguments.vernier)
    build = digest_of(command[0])
    out = pathlib.Path(arguments.out)
    done = set()
    if out.exists():
        for line in out.read_text().splitlines():
            row = json.loads(line)
            is_ours = row["player"].startswith(("vernier", "told"))
            if is_ours and row.get("build", build) != build:
                parser.error(f"{out} has runs of another build of {command[0]}")
            if row.get("by_seconds", False) != arguments.seconds:
                parser.error(f"{out} has runs of another clock")
            if row.get("budget_trials") != arguments.trials:
                parser.error(f"{out} has runs of another budget")
            done.add((row["player"], row["problem"], row["seed"], row["workers"]))
    for problem in chosen(arguments.problems):
        for seed in range(int(first), int(last or first) + 1):
            for name in arguments.players.split(","):
                if (name, problem.name, seed, arguments.workers) in done:
                    continue
                began = time.perf_counter()
                player = make_player(name, problem, seed, command)
                row = play(
                    problem,
                    player,
                    arguments.workers,
                    arguments.seconds,
                    arguments.trials,
                )
                player.close()
                row.update(
                    player=name,
                    problem=problem.name,
                    seed=seed,
                    workers=arguments.workers,
                    by_seconds=arguments.seconds,
                    budget_trials=arguments.trials,
                    build=build,
                    seconds=round(time.perf_counter() - began, 2),
                )
                with out.open("a") as file:
                    file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
