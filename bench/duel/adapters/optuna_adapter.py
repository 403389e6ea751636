"""Optuna, define-by-run: --sampler tpe (its default) or gp (GPSampler).

Conditional parameters are suggested as the tree is walked, which is how Optuna
means them.
"""

import sys
import warnings

import optuna
import protocol
import parameter_space


class OptunaAdapter:

    def __init__(self, parameters, seed, max_trials):
        del max_trials
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        warnings.filterwarnings("ignore")
        self._parameters = parameters
        self._study = optuna.create_study(direction="minimize",
                                          sampler=_sampler(seed))

    def ask(self, count):
        return [self._ask_one() for _ in range(count)]

    def _ask_one(self):
        trial = self._study.ask()
        return trial, parameter_space.build_point(
            self._parameters, lambda parameter: _suggest(trial, parameter))

    def tell(self, key, point, value):
        if value is None:
            self._study.tell(key, state=optuna.trial.TrialState.FAIL)
        else:
            self._study.tell(key, value)


def _sampler(seed):
    if "gp" in sys.argv:
        return optuna.samplers.GPSampler(seed=seed)
    # A study without a sampler takes TPESampler(); the seed is all we add.
    return optuna.samplers.TPESampler(seed=seed)


def _suggest(trial, parameter):
    name = parameter.name
    if parameter.kind == parameter_space.CATEGORICAL:
        return trial.suggest_categorical(name, parameter.values)
    if parameter.kind == parameter_space.DISCRETE:
        # Optuna has no list of numbers: the position keeps the order, and our
        # lists are evenly spaced on their scale.
        last = len(parameter.values) - 1
        return parameter.values[trial.suggest_int(name, 0, last)]
    if parameter.kind == parameter_space.INTEGER:
        return trial.suggest_int(name, parameter.low, parameter.high,
                                 log=parameter.log)
    return trial.suggest_float(name, parameter.low, parameter.high,
                               log=parameter.log)


if __name__ == "__main__":
    protocol.main(OptunaAdapter, packages=("optuna", "torch", "scipy"))
