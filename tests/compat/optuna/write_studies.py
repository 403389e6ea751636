"""Writes studies with the released Optuna, and prints what it says of them as JSON.

Usage: write_studies.py sqlite|journal FILE TRIALS
"""

import json
import math
import sys

import optuna
from optuna.trial import TrialState, create_trial

kind, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
optuna.logging.set_verbosity(optuna.logging.ERROR)
if kind == "sqlite":
    storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
else:
    from optuna.storages import JournalStorage
    try:
        from optuna.storages.journal import JournalFileBackend
    except ImportError:
        from optuna.storages import JournalFileStorage as JournalFileBackend
    storage = JournalStorage(JournalFileBackend(path))


def branches(trial):
    lr = trial.suggest_float("lr", 1e-5, 1, log=True)
    layers = trial.suggest_int("layers", 1, 3)
    widths = [trial.suggest_int(f"width {i}", 16, 64, step=16) for i in range(layers)]
    optimizer = trial.suggest_categorical("optimizer", ["sgd", "adam", None, True])
    momentum = trial.suggest_float("momentum", 0, 0.9, step=0.3) if optimizer == "sgd" else 0
    trial.set_user_attr("widths", sum(widths))
    loss = (math.log10(lr) + 2) ** 2 + layers + (optimizer is None) + momentum
    if trial.number % 7 == 3:
        raise RuntimeError("out of memory")
    for step in range(3):
        trial.report(loss + 3 - step if trial.number % 5 or step else math.nan, step)
        if trial.number % 6 == 5 and step == 1:
            raise optuna.TrialPruned()
    return math.inf if trial.number == 2 else loss


def front(trial):
    x = trial.suggest_float("x", 0, 1)
    trial.suggest_int("n", 1, 1000, log=True)
    if hasattr(trial, "set_constraint"):
        trial.set_constraint("memory", x - 0.75)
    return x, (1 - x) ** 2


sampler = optuna.samplers.RandomSampler(seed=count)
study = optuna.create_study(study_name="branches / all", storage=storage, sampler=sampler,
                            load_if_exists=True)
study.set_user_attr("owner", {"name": "me"})
study.optimize(branches, n_trials=count, catch=RuntimeError)
if count > 10:
    study.enqueue_trial({"lr": 0.1})
    study.add_trial(create_trial(state=TrialState.RUNNING))

# Up to Optuna 4, a sampler with constraints_func keeps constraints.
keeps = {} if hasattr(optuna.trial.Trial, "set_constraint") else {
    "constraints_func": lambda trial: (trial.params["x"] - 0.75,)}
sampler = optuna.samplers.NSGAIISampler(seed=1, population_size=50, **keeps)
pareto = optuna.create_study(study_name="front", directions=["minimize", "maximize"],
                             storage=storage, sampler=sampler, load_if_exists=True)
pareto.set_metric_names(["cost", "gain"])
pareto.optimize(front, n_trials=count)
optuna.create_study(study_name="empty", storage=storage, load_if_exists=True)


def of(trial):
    return {"number": trial.number, "state": trial.state.name, "values": trial.values and [
                repr(value) for value in trial.values],
            "params": trial.params, "user_attrs": trial.user_attrs,
            "steps": sorted(trial.intermediate_values)}


print(json.dumps({"version": optuna.__version__, **{
    each: [of(trial) for trial in optuna.load_study(study_name=each, storage=storage).trials]
    for each in ("branches / all", "front")}}))
