#!/usr/bin/env python3
"""VernierSampler against Optuna's TPESampler on a few functions: a check of the wiring.

    optuna_sampler_duel.py [--seeds 5] [--trials 50]

Prints the median of the best values over the seeds, for each function and sampler. Real
comparisons are those of bench/duel. Needs Optuna and our package, for example as in

    VERNIER_BINARY=build/test/vernier PYTHONPATH=python/src \\
        build/compat/optunahub/bin/python bench/optuna_sampler_duel.py
"""

import argparse
import math
import statistics

import optuna

from vernier_hpo.integration.optuna import VernierSampler


def branin(trial):
    """Its minimum is 0.397887."""
    x, y = trial.suggest_float("x", -5, 10), trial.suggest_float("y", 0, 15)
    a = y - 5.1 / (4 * math.pi ** 2) * x ** 2 + 5 / math.pi * x - 6
    return a ** 2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def rosenbrock(trial):
    """Of four dimensions; its minimum is 0."""
    x = [trial.suggest_float(f"x{i}", -2, 2) for i in range(4)]
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))


def mixed(trial):
    """A real number, a logarithmic one, a stepped one and a category; from 0 on."""
    x, y = trial.suggest_float("x", -5, 5), trial.suggest_int("y", 0, 20, step=2)
    rate = trial.suggest_float("rate", 1e-5, 1, log=True)
    kind = trial.suggest_categorical("kind", ["a", None, True])
    return ((x - 1) ** 2 + abs(y - 6) / 2 + (math.log10(rate) + 2) ** 2
            + (0 if kind is True else 1))


def branched(trial):
    """A category with a parameter of its own for each choice; from 0 on."""
    x = trial.suggest_float("x", -5, 5)
    if trial.suggest_categorical("kind", ["sgd", "adam"]) == "sgd":
        return x ** 2 + (trial.suggest_float("momentum", 0, 1) - 0.9) ** 2
    return x ** 2 + 0.5 + (trial.suggest_float("beta", 0, 1) - 0.5) ** 2


def best_of(function, sampler, trials):
    study = optuna.create_study(sampler=sampler)
    study.optimize(function, n_trials=trials)
    return study.best_value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=50)
    flags = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    print(f"{'function':12}{'VernierSampler':>16}{'TPESampler':>16}   median best of "
          f"{flags.trials} trials, {flags.seeds} seeds")
    for function in (branin, rosenbrock, mixed, branched):
        medians = [statistics.median(best_of(function, kind(seed=seed), flags.trials)
                                     for seed in range(flags.seeds))
                   for kind in (VernierSampler, optuna.samplers.TPESampler)]
        print(f"{function.__name__:12}{medians[0]:16.6g}{medians[1]:16.6g}", flush=True)


if __name__ == "__main__":
    main()
