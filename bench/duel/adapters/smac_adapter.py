"""SMAC, ask and tell: --facade hpo (random forest) or blackbox (GP).

The tree becomes conditions of its ConfigSpace. A DISCRETE parameter is passed
as the position in its list, which keeps the order, and our lists are evenly
spaced on their scale. SMAC wants to be told what a crash costs, and its own
default, infinity, breaks its model: it costs as much as the worst trial yet.
"""

import logging
import pathlib
import sys
import tempfile
import warnings

import ConfigSpace
import protocol
import parameter_space
from smac import BlackBoxFacade, HyperparameterOptimizationFacade, Scenario
from smac.runhistory import StatusType, TrialValue

# While none has succeeded; losses here are of the order of 1.
COST_OF_FIRST_CRASHES = 10.0


class SmacAdapter:

    def __init__(self, parameters, seed, max_trials):
        logging.disable(logging.CRITICAL)
        warnings.filterwarnings("ignore")
        self._flat = {parameter.name: parameter
                      for parameter in parameter_space.flattened(parameters)}
        # SMAC writes its history, and must not find an older one.
        self._folder = tempfile.TemporaryDirectory()
        space = ConfigSpace.ConfigurationSpace(seed=seed)
        _add(space, parameters, None, None)
        facade = (BlackBoxFacade if "blackbox" in sys.argv
                  else HyperparameterOptimizationFacade)
        scenario = Scenario(space, deterministic=True, n_trials=max_trials, seed=seed,
                            output_directory=pathlib.Path(self._folder.name))
        self._worst = None  # Of the trials that did not crash.
        self._smac = facade(scenario, _never_called, overwrite=True,
                            logging_level=False)

    def ask(self, count):
        asked = []
        for _ in range(count):
            info = self._smac.ask()
            asked.append((info, {name: self._value(name, value)
                                 for name, value in dict(info.config).items()}))
        return asked

    def _value(self, name, value):
        parameter = self._flat[name]
        if parameter.kind == parameter_space.DISCRETE:
            return parameter.values[int(value)]
        return value

    def tell(self, key, point, value):
        if value is None:
            cost = COST_OF_FIRST_CRASHES if self._worst is None else self._worst
            self._smac.tell(key, TrialValue(cost=cost,
                                            status=StatusType.CRASHED))
        else:
            self._worst = value if self._worst is None else max(self._worst,
                                                                value)
            self._smac.tell(key, TrialValue(cost=value))


def _never_called(config, seed=0):
    raise AssertionError("the driver evaluates")


def _add(space, parameters, parent, values):
    """Adds `parameters`, active while `parent` has one of `values`."""
    for parameter in parameters:
        made = _hyperparameter(parameter)
        space.add(made)
        if parent is not None:
            space.add(ConfigSpace.InCondition(made, parent, list(values)))
        for parent_values, group in parameter.children:
            _add(space, group, made, _as_held(parameter, parent_values))


def _as_held(parameter, values):
    """The values as the ConfigSpace holds them."""
    if parameter.kind == parameter_space.DISCRETE:
        return [parameter.values.index(value) for value in values]
    return values


def _hyperparameter(parameter):
    name = parameter.name
    if parameter.kind == parameter_space.CATEGORICAL:
        return ConfigSpace.CategoricalHyperparameter(name, parameter.values)
    if parameter.kind == parameter_space.DISCRETE:
        last = len(parameter.values) - 1
        return ConfigSpace.UniformIntegerHyperparameter(name, 0, last)
    kind = (ConfigSpace.UniformIntegerHyperparameter
            if parameter.kind == parameter_space.INTEGER
            else ConfigSpace.UniformFloatHyperparameter)
    return kind(name, parameter.low, parameter.high, log=parameter.log)


if __name__ == "__main__":
    protocol.main(SmacAdapter, packages=("smac", "ConfigSpace", "scikit-learn"))
