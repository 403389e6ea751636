#!/usr/bin/env python3
"""Tables of what run.py wrote: mean decades of regret by tenths of the budget."""
import argparse
import collections
import json
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from problems import all_problems

TENTHS = [i / 10 for i in range(1, 11)]
RESAMPLES = 2000


def decades_at(problem, finals, share):
    values = [value for when, value in finals if when <= share + 1e-9]
    return problem.decades(min(values) if values else None)


def differences(rows, mine, other, share, problems):
    """Per problem, those of the seeds that both have run."""
    by_problem = collections.defaultdict(list)
    for (player, name, seed), row in rows.items():
        if player != mine or (other, name, seed) not in rows:
            continue
        theirs = rows[(other, name, seed)]
        by_problem[name].append(
            decades_at(problems[name], row["finals"], share)
            - decades_at(problems[name], theirs["finals"], share)
        )
    return [numpy.array(v) for v in by_problem.values()]


def mean_of(groups):
    """Over problems, of the mean over seeds."""
    return numpy.mean([g.mean() for g in groups])


def interval(groups):
    """Of mean_of, 95 %."""
    rng = numpy.random.default_rng(0)
    means = []
    for _ in range(RESAMPLES):
        picked = rng.integers(0, len(groups), len(groups))
        means.append(
            numpy.mean([rng.choice(groups[i], len(groups[i])).mean() for i in picked])
        )
    return numpy.quantile(means, [0.025, 0.975])


def share_needed(rows, mine, other, problems):
    """Share of the budget to reach what `other` has at the end: mean and median,
    where a run that never does counts 1, and how many of all never do."""
    shares = []
    never = 0
    for (player, name, seed), row in rows.items():
        if player != mine or (other, name, seed) not in rows:
            continue
        goal = decades_at(problems[name], rows[(other, name, seed)]["finals"], 1)
        reached = [
            when
            for when, value in row["finals"]
            if problems[name].decades(value) <= goal + 1e-9
        ]
        shares.append(min(reached, default=1.0))
        never += not reached
    return float(numpy.mean(shares)), float(numpy.median(shares)), never / len(shares)


def best_end(problem, row):
    """How far the best final value, without noise, is from the best there is."""
    ends = [value for _, value in row["finals"]]
    return min(ends) - problem.optimum() if ends else float("inf")


def lost_its_best(row):
    """Whether the best of all that were proposed was stopped."""
    best = min((value for _, value in row["finals"]), default=float("inf"))
    return any(value < best for _, value in row["wrong"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--against", default="vernier")
    parser.add_argument("--problems", default="")
    arguments = parser.parse_args()
    problems = {p.name: p for p in all_problems()}
    rows = {}
    builds = collections.defaultdict(set)
    clocks = set()
    budgets = set()
    for file in arguments.files:
        for line in pathlib.Path(file).read_text().splitlines():
            row = json.loads(line)
            if row["workers"] != arguments.workers:
                continue
            if not any(p in row["problem"] for p in arguments.problems.split(",")):
                continue
            rows[(row["player"], row["problem"], row["seed"])] = row
            builds[row["player"]].add(row.get("build", ""))
            clocks.add(row.get("by_seconds", False))
            budgets.add(row.get("budget_trials"))
    if len(clocks) > 1:
        parser.error("runs by epochs and runs by seconds are no one table")
    if len(budgets) > 1:
        parser.error("runs of several budgets are no one table")
    mixed = [p for p in builds if p.startswith("vernier") and len(builds[p]) > 1]
    if mixed:
        parser.error(f"runs of several builds of vernier: {', '.join(mixed)}")
    unknown = sorted({name for _, name, _ in rows} - problems.keys())
    if unknown:
        parser.error(
            f"no such problem here: {', '.join(unknown)} (LCBench's need YAHPO_DATA)"
        )
    players = sorted({player for player, _, _ in rows})
    print("| player | " + " | ".join(f"{t:.0%}" for t in [0.25, *TENTHS]) + " | trials | wrong stops | at the first report | runs | that stopped their best | of the three best of each run stopped | steps | median of the best end |")
    print("|---" * (len(TENTHS) + 10) + "|")
    for player in players:
        mine = [(n, r) for (p, n, _), r in rows.items() if p == player]
        cells = [
            f"{numpy.mean([decades_at(problems[n], r['finals'], t) for n, r in mine]):.2f}"
            for t in [0.25, *TENTHS]
        ]
        stops = sum(r["stops"] for _, r in mine)
        wrong = sum(len(r["wrong"]) for _, r in mine)
        first = sum(r.get("at_first", 0) for _, r in mine)
        print(
            f"| {player} | " + " | ".join(cells)
            + f" | {numpy.mean([r['trials'] for _, r in mine]):.0f}"
            + f" | {wrong} of {stops} | {first} | {len(mine)}"
            + f" | {sum(lost_its_best(r) for _, r in mine)}"
            + f" | {sum(r.get('best_stopped', 0) for _, r in mine)}"
            + f" | {numpy.mean([r['spent'] for _, r in mine]):.0f}"
            + f" | {numpy.median([best_end(problems[n], r) for n, r in mine]):.4f} |"
        )
    others = sorted(
        {
            player
            for player, name, seed in rows
            if player != arguments.against and (arguments.against, name, seed) in rows
        }
    )
    if not others:
        parser.error(f"no run that {arguments.against} made, too: see --against")
    print()
    print(f"| player | less regret than {arguments.against} at 25 % | at 50 % | at 100 % | share of the budget to its end: mean, median | never |")
    print("|---|---|---|---|---|---|")
    for player in others:
        cells = []
        for share in (0.25, 0.5, 1.0):
            groups = differences(rows, player, arguments.against, share, problems)
            cells.append(
                "%.2f [%.2f, %.2f]" % (mean_of(groups), *interval(groups))
                if groups
                else ""
            )
        mean, median, never = share_needed(rows, player, arguments.against, problems)
        print(
            f"| {player} | " + " | ".join(cells)
            + f" | {mean:.2f}, {median:.2f} | {never:.0%} |"
        )
    print()
    print(f"| {arguments.against} less | " + " | ".join(f"{t:.0%}" for t in TENTHS) + " | runs |")
    print("|---" * (len(TENTHS) + 2) + "|")
    for player in others:
        tenths = [
            differences(rows, arguments.against, player, t, problems) for t in TENTHS
        ]
        cells = [f"{mean_of(groups):.2f}" if groups else "" for groups in tenths]
        runs = sum(len(group) for group in tenths[-1])
        print(f"| {player} | " + " | ".join(cells) + f" | {runs} |")


if __name__ == "__main__":
    main()
