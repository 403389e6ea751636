"""A study.optimize whose sampler is not asked, since the service's engine is."""

import collections
import sys

import optuna
from optuna.storages import GrpcStorageProxy

optuna.logging.set_verbosity(optuna.logging.WARNING)


class CountingSampler(optuna.samplers.RandomSampler):
    """Counts the parameters that it is asked for, by name."""

    def __init__(self):
        super().__init__(seed=1)
        self.asked = collections.Counter()

    def sample_independent(self, study, trial, name, distribution):
        self.asked[name] += 1
        return super().sample_independent(study, trial, name, distribution)


def objective(trial):
    x = trial.suggest_float("x", -1, 1)
    n = trial.suggest_int("n", 1, 9, step=2)
    lr = trial.suggest_float("lr", 1e-5, 1, log=True)
    kind = trial.suggest_categorical("kind", ["a", None, True])
    loss = x * x + abs(n - 3) + abs(lr - 0.01)
    if kind == "a":
        loss += trial.suggest_float("branch", 0, 1)
    return loss


def two(trial):
    x = trial.suggest_float("x", 0, 1)
    trial.set_user_attr("x", x)
    trial.set_constraint("c", 0.2 - x) if hasattr(trial, "set_constraint") else None
    return x, 1 - x


def main():
    host, _, port = sys.argv[1].rpartition(":")
    storage = GrpcStorageProxy(host=host, port=int(port))
    sampler = CountingSampler()
    study = optuna.create_study(storage=storage, study_name="driven", sampler=sampler)
    study.optimize(objective, n_trials=20)
    assert len(study.trials) == 20
    assert all(t.state == optuna.trial.TrialState.COMPLETE for t in study.trials)
    # Once each: in the first trial, and "branch" where it was seen first.
    assert all(count == 1 for count in sampler.asked.values()), sampler.asked
    fixed = study.trials[-1].system_attrs["fixed_params"]
    assert set(fixed) >= {"x", "n", "lr", "kind"}, fixed
    several = optuna.create_study(storage=storage, study_name="several", sampler=CountingSampler(),
                                  directions=["minimize", "maximize"])
    several.optimize(two, n_trials=15)
    assert several.sampler.asked["x"] == 1, several.sampler.asked
    assert several.best_trials
    print("ok", study.best_value)


if __name__ == "__main__":
    main()
