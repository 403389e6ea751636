"""The minimum of a function of three parameters, in a storage of Optuna's."""

import optuna
import optunahub

VernierSampler = optunahub.load_module(package="samplers/vernier").VernierSampler


def objective(trial):
    x = trial.suggest_float("x", -5, 5)
    width = trial.suggest_int("width", 16, 256, log=True)
    kind = trial.suggest_categorical("kind", ["plain", "gated", None])
    return x ** 2 + abs(width - 64) / 64 + (kind != "gated")


if __name__ == "__main__":
    study = optuna.create_study(sampler=VernierSampler(seed=1),
                                storage="sqlite:///example.db", study_name="example",
                                load_if_exists=True)
    study.optimize(objective, n_trials=30)
    print(study.best_value, study.best_params)
