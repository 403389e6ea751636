#!/usr/bin/python3
"""Runs optimizers against problems and appends what happened to a file.

usage: bench/duel/run.py --optimizers vernier,optuna,random --out FILE ...

What is already in FILE is not run again, so a run that was cut is resumed by
the same command. bench/duel/README.md tells what the options mean.
"""

import argparse
import concurrent.futures
import os
import platform
import random
import sys
import time

import optimizers

os.environ.update(optimizers.ONE_THREAD)  # Before anything imports numpy.

import results  # noqa: E402
import trial_loop  # noqa: E402
from problems import problem as problem_module  # noqa: E402
from problems import registry  # noqa: E402
from process import OptimizerError, OptimizerProcess  # noqa: E402

SLOW_ASK_SECONDS = 60.0
SEEDS = {problem_module.TUNING: range(1, 11),
         problem_module.REPORTING: range(101, 131)}
DEFAULT_ENGINE = os.path.join(optimizers.ROOT, "build/release/vernier")


def parse_seeds(text):
    """"1-3,7" is [1, 2, 3, 7]."""
    seeds = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def check_seeds(seeds, part):
    """What was tuned on must never be reported, neither problem nor seed."""
    wrong = [seed for seed in seeds if part and seed not in SEEDS[part]]
    if wrong:
        allowed = SEEDS[part]
        raise ValueError(f"seed {wrong[0]} is not of the {part} part: "
                         f"{allowed[0]}-{allowed[-1]}")


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        description="Runs optimizers against problems.")
    parser.add_argument("--suite", default="headline",
                        help="families, suites or patterns of problem names")
    parser.add_argument("--part", default=problem_module.REPORTING,
                        choices=(problem_module.TUNING,
                                 problem_module.REPORTING, "any"),
                        help="any: for trying things out, never for reporting")
    parser.add_argument("--optimizers", required=True)
    parser.add_argument("--seeds", default="", help="as 101-105,110")
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--parallel", type=int, default=1, metavar="Q")
    parser.add_argument("--mode", default=trial_loop.ASYNCHRONOUS,
                        choices=(trial_loop.ASYNCHRONOUS, trial_loop.BATCH),
                        help="how Q workers are fed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", required=True)
    parser.add_argument("--vernier", default=DEFAULT_ENGINE, metavar="PATH")
    parser.add_argument("--engine", action="append", default=[],
                        metavar="NAME=COMMAND",
                        help="one more engine that speaks the protocol")
    parser.add_argument("--answer-limit", type=float, default=600.0,
                        help="seconds; a run ends when one answer takes longer")
    parser.add_argument("--retry-errors", action="store_true")
    parser.add_argument("--list", action="store_true",
                        help="print the problems and stop")
    return parser.parse_args(words)


def plan(arguments, problems, chosen, rows):
    """The runs that are not yet in `rows`, in random order. A row with an
    error counts as done unless errors are to be retried.
    """
    mode = arguments.mode if arguments.parallel > 1 else trial_loop.SEQUENTIAL
    done = {results.key_of(row) for row in rows
            if row["trials"] >= arguments.trials
            and not (row["error"] and arguments.retry_errors)}
    part = None if arguments.part == "any" else arguments.part
    seeds = (parse_seeds(arguments.seeds) if arguments.seeds
             else SEEDS[part or problem_module.TUNING])
    check_seeds(seeds, part)
    wanted = [(problem, optimizer, seed, mode)
              for problem in problems for optimizer in chosen for seed in seeds]
    left = [run for run in wanted
            if (run[0].name, run[1].name, run[2], mode, arguments.parallel)
            not in done]
    random.shuffle(left)
    return left


def run_one(problem, optimizer, seed, mode, arguments, description):
    """One run as a row. An optimizer that fails is recorded, with what it had
    reached by then; nothing is hidden.
    """
    record = trial_loop.Record(problem, seed)
    start = time.time()
    error = ""
    try:
        with OptimizerProcess(optimizer, arguments.answer_limit) as process:
            process.create(problem.parameters, seed, arguments.trials,
                           arguments.parallel)
            trial_loop.run_trials(process, record, arguments.trials, mode,
                                  arguments.parallel, seed)
    except (OptimizerError, ValueError, KeyError) as failure:
        error = f"{type(failure).__name__}: {failure}"
    return {
        "problem": problem.name, "family": problem.family,
        "part": problem.part, "optimizer": optimizer.name, "seed": seed,
        "mode": mode, "workers": arguments.parallel,
        "trials": arguments.trials, "error": error,
        "values": record.values, "observed": record.observed,
        "points": record.points,
        "ask_seconds": [round(s, 6) for s in record.ask_seconds],
        "ask_cpu_seconds": [round(s, 6) for s in record.ask_cpu_seconds],
        "tell_seconds": [round(s, 6) for s in record.tell_seconds],
        "slow_asks": sum(s > SLOW_ASK_SECONDS for s in record.ask_seconds),
        "optimum": problem.optimum, "floor": problem.floor,
        "random_50": problem.random_50, "random_1": problem.random_1,
        "random_best": float(problem.random_sample[0]),
        "versions": description["versions"],
        "flattens": description["flattens"],
        "python": platform.python_version(), "started": round(start),
        "seconds": round(time.time() - start, 3),
    }


def run_all(left, arguments, descriptions):
    """Runs what is left, `jobs` at a time."""
    with results.Writer(arguments.out) as writer:
        def finish(run):
            problem, optimizer, seed, mode = run
            row = run_one(problem, optimizer, seed, mode, arguments,
                          descriptions[optimizer.name])
            writer.add(row)
            return row

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            rows = pool.map(finish, left)
            for number, row in enumerate(rows, 1):
                best = min(row["values"], default=float("nan"))
                print(f"{number}/{len(left)} {row['problem']} "
                      f"{row['optimizer']} seed {row['seed']}: {best:.6g} in "
                      f"{row['seconds']:.1f} s {row['error']}", flush=True)


def main(words):
    arguments = parse_arguments(words)
    part = None if arguments.part == "any" else arguments.part
    try:
        problems = registry.select(arguments.suite, part)
        if arguments.list:
            for problem in problems:
                print(f"{problem.name:34s} {problem.family:18s} {problem.part}")
            return 0
        engines = {"vernier": f"{arguments.vernier} suggest"}
        engines |= dict(engine.split("=", 1) for engine in arguments.engine)
        chosen = [optimizers.find(name, engines)
                  for name in arguments.optimizers.split(",")]
        left = plan(arguments, problems, chosen, results.read(arguments.out))
    except ValueError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    descriptions = {optimizer.name: optimizer.describe()
                    for optimizer in {run[1] for run in left}}
    print(f"{len(left)} runs to do", flush=True)
    run_all(left, arguments, descriptions)
    return 0


def run_curves(words):
    """Trainings that may be stopped have a driver of their own."""
    driver = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "curves", "run.py")
    os.execv(sys.executable, [sys.executable, driver, *words])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--curves"]:
        run_curves(sys.argv[2:])
    sys.exit(main(sys.argv[1:]))
