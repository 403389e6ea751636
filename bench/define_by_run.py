#!/usr/bin/env python3
"""vernier_hpo.optuna, which learns the space while it runs, against the same search with
the space given from the start, and against Optuna's default sampler.

    define_by_run.py [--seeds 5] [--trials 40] [--families tree,layers,...]

Prints for each family the mean over the seeds of log10(best value + 0.001), whose best is
-3, and the differences in decades. Needs Optuna and our package, for example as in

    VERNIER_BINARY=build/test/vernier PYTHONPATH=python/src \\
        build/compat/optuna/bin/python bench/define_by_run.py
"""

import argparse
import math
import statistics
import warnings

import optuna

import vernier_hpo as vn
import vernier_hpo.optuna as ours
from vernier_hpo._engine import Engine
from vernier_hpo._suggester import study_of
from vernier_hpo.integration.optuna import VernierSampler


def tree(trial):
    """Three optimizers with a rate in common and settings of their own; from 0 on."""
    rate = math.log10(trial.suggest_float("rate", 1e-5, 1, log=True))
    kind = trial.suggest_categorical("kind", ["sgd", "adam", "lbfgs"])
    if kind == "sgd":
        momentum = trial.suggest_float("momentum", 0, 1)
        nesterov = trial.suggest_categorical("nesterov", [False, True])
        return (0.3 * (rate + 1.5) ** 2 + 4 * (momentum - 0.9) ** 2
                + (0 if nesterov else 0.2))
    if kind == "adam":
        beta = trial.suggest_float("beta", 0, 1)
        decay = math.log10(trial.suggest_float("decay", 1e-6, 1e-1, log=True))
        return (0.3 * (rate + 3) ** 2 + 2 * (beta - 0.7) ** 2
                + 0.1 * (decay + 4) ** 2 + 0.05)
    return 0.5 + 0.3 * (rate + 1) ** 2 + abs(trial.suggest_int("memory", 1, 20) - 10) / 20


TREE = {"rate": vn.Float(1e-5, 1, log=True),
        "kind": vn.Categorical(["sgd", "adam", "lbfgs"]),
        "momentum": vn.Float(0, 1, when={"kind": "sgd"}),
        "nesterov": vn.Categorical([False, True], when={"kind": "sgd"}),
        "beta": vn.Float(0, 1, when={"kind": "adam"}),
        "decay": vn.Float(1e-6, 1e-1, log=True, when={"kind": "adam"}),
        "memory": vn.Int(1, 20, when={"kind": "lbfgs"})}


def layers(trial):
    """A network of one to four layers, of which each has a width; from 0 on."""
    count = trial.suggest_int("layers", 1, 4)
    value = 0.2 * (count - 3) ** 2
    for i in range(count):
        width = math.log2(trial.suggest_int(f"width{i}", 4, 256, log=True))
        value += 0.05 * (width - 7 + i) ** 2
    drop = trial.suggest_float("drop", 0, 0.9)
    return value + 2 * (drop - 0.2) ** 2


LAYERS = {"layers": vn.Int(1, 4),
          **{f"width{i}": vn.Int(4, 256, log=True, when={"layers": list(range(i + 1, 5))})
             for i in range(1, 4)},
          "width0": vn.Int(4, 256, log=True), "drop": vn.Float(0, 0.9)}


def models(trial):
    """A model, in one of them a kernel, and in that a degree: two levels; from 0 on."""
    scale = trial.suggest_categorical("scale", ["none", "standard"])
    value = 0 if scale == "standard" else 0.1
    if trial.suggest_categorical("model", ["forest", "svm"]) == "forest":
        depth = trial.suggest_int("depth", 1, 32)
        share = trial.suggest_float("share", 0.05, 1)
        return value + 0.3 + abs(math.log2(depth) - 3) / 10 + (share - 0.4) ** 2
    c = math.log10(trial.suggest_float("c", 1e-3, 1e3, log=True))
    value += 0.1 * (c - 1) ** 2
    kernel = trial.suggest_categorical("kernel", ["linear", "rbf", "poly"])
    if kernel == "rbf":
        gamma = math.log10(trial.suggest_float("gamma", 1e-4, 1e1, log=True))
        return value + 0.2 * (gamma + 2 + 0.5 * (c - 1)) ** 2
    if kernel == "poly":
        return value + 0.15 + 0.1 * abs(trial.suggest_int("degree", 2, 6) - 3)
    return value + 0.4


_SVM = {"model": "svm"}
MODELS = {"scale": vn.Categorical(["none", "standard"]),
          "model": vn.Categorical(["forest", "svm"]),
          "depth": vn.Int(1, 32, when={"model": "forest"}),
          "share": vn.Float(0.05, 1, when={"model": "forest"}),
          "c": vn.Float(1e-3, 1e3, log=True, when=_SVM),
          "kernel": vn.Categorical(["linear", "rbf", "poly"], when=_SVM),
          "gamma": vn.Float(1e-4, 1e1, log=True, when={"kernel": "rbf"}),
          "degree": vn.Int(2, 6, when={"kernel": "poly"})}


def ranges(trial):
    """A range that ends at another parameter's value; from 0 on."""
    total = trial.suggest_float("total", 0.1, 1)
    part = trial.suggest_float("part", 0, total)
    return 2 * (total - 0.7) ** 2 + 4 * (part - 0.45) ** 2 + total * part * 0.01 - 0.00315


RANGES = {"total": vn.Float(0.1, 1), "part": vn.Float(0, 1)}

# The same space in every trial: what learning it costs where there is nothing to learn.
def flat(trial):
    """Four parameters, always; from 0 on."""
    x = [trial.suggest_float(f"x{i}", -2, 2) for i in range(3)]
    kind = trial.suggest_categorical("kind", ["a", "b", "c"])
    return (sum((each - 0.5 * i) ** 2 for i, each in enumerate(x)) + 0.5 * x[0] * x[1] + 0.02
            + {"a": 0.3, "b": 0, "c": 0.6}[kind])


FLAT = {**{f"x{i}": vn.Float(-2, 2) for i in range(3)},
        "kind": vn.Categorical(["a", "b", "c"])}

FAMILIES = {"tree": (tree, TREE, []), "layers": (layers, LAYERS, []),
            "models": (models, MODELS, []), "ranges": (ranges, RANGES, ["part <= total"]),
            "flat": (flat, FLAT, [])}


def with_the_space(family, seed, trials):
    """The engine that is told the space."""
    function, space, constraints = FAMILIES[family]
    study = study_of(space, ["minimize"], 0, seed)
    if constraints:
        study["constraints"] = constraints
    engine = Engine(study)
    best = math.inf
    for _ in range(trials):
        trial, = engine.call("ask")["trials"]
        params = {name: space[name].choice_of(each)
                  if isinstance(space[name], vn.Categorical) else each
                  for name, each in trial["parameters"].items()}
        value = function(ours.trial.FixedTrial(params))
        engine.call("tell", id=trial["id"], value=value)
        best = min(best, value)
    engine.close()
    return best


def best_of(module, sampler, family, trials):
    """The best value of a study of a module."""
    study = module.create_study(sampler=sampler)
    study.optimize(FAMILIES[family][0], n_trials=trials)
    return study.best_value


PLAYERS = {
    "given": with_the_space,
    "learnt": lambda family, seed, trials: best_of(
        ours, ours.samplers.EngineSampler(seed=seed), family, trials),
    "VernierSampler": lambda family, seed, trials: best_of(
        optuna, VernierSampler(seed=seed), family, trials),
    "TPE": lambda family, seed, trials: best_of(
        optuna, optuna.samplers.TPESampler(seed=seed), family, trials)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--players", default=",".join(PLAYERS))
    flags = parser.parse_args()
    warnings.simplefilter("ignore")
    for module in (optuna, ours):
        module.logging.set_verbosity(module.logging.ERROR)
    players = flags.players.split(",")
    print(f"{flags.trials} trials, {flags.seeds} seeds; log10(best + 0.001)")
    print(f"{'family':10}" + "".join(f"{each:>16}" for each in players))
    for family in flags.families.split(","):
        scores = {each: [math.log10(max(0, PLAYERS[each](family, seed, flags.trials)) + 0.001)
                         for seed in range(flags.seeds)] for each in players}
        print(f"{family:10}" + "".join(f"{statistics.mean(scores[each]):16.2f}"
                                       for each in players), flush=True)


if __name__ == "__main__":
    main()
