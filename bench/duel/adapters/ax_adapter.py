"""Ax with what it chooses itself, and the tree as dependent parameters.

Ax allows a parameter one parent value. A group that exists for several values
of its parent is therefore made to exist always; its values are left out of the
point where it is inactive. Ax refuses ranges as narrow as 1e-6: such a one on a
log scale is given in units of its lower bound.
"""

import logging
import warnings

import protocol
import parameter_space
from ax.api.client import Client
from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig

METRIC = "value"
NARROW = 1e-5


class AxAdapter:

    def __init__(self, parameters, seed, max_trials):
        del max_trials
        logging.disable(logging.CRITICAL)
        warnings.filterwarnings("ignore")
        self._flat = {parameter.name: parameter
                      for parameter in parameter_space.flattened(parameters)}
        self._client = Client(random_seed=seed)
        self._client.configure_experiment(parameters=_configs(parameters))
        self._client.configure_optimization(objective="-" + METRIC)

    def ask(self, count):
        trials = self._client.get_next_trials(max_trials=count)
        # Ax may give fewer than it is asked for, in its first trials.
        while len(trials) < count:
            more = self._client.get_next_trials(max_trials=count - len(trials))
            if not more:
                break
            trials |= more
        return [(key, {name: self._in_own_units(name, value)
                       for name, value in point.items()})
                for key, point in trials.items()]

    def _in_own_units(self, name, value):
        parameter = self._flat[name]
        unit = _unit(parameter)
        if unit == 1:
            return value
        return min(max(value * unit, parameter.low), parameter.high)

    def tell(self, key, point, value):
        if value is None:
            self._client.mark_trial_failed(key)
        else:
            self._client.complete_trial(key, raw_data={METRIC: value})


def _unit(parameter):
    is_narrow = (parameter.kind == parameter_space.DOUBLE and parameter.log
                 and parameter.high - parameter.low < NARROW)
    return parameter.low if is_narrow else 1


def _configs(parameters):
    configs = []
    for parameter in parameters:
        dependents = {}
        for values, group in parameter.children:
            configs += _configs(group)
            if len(values) == 1:
                dependents[values[0]] = [child.name for child in group]
        configs.append(_config(parameter, dependents))
    return configs


def _config(parameter, dependents):
    name = parameter.name
    if parameter.kind in (parameter_space.CATEGORICAL, parameter_space.DISCRETE):
        is_ordered = parameter.kind == parameter_space.DISCRETE
        return ChoiceParameterConfig(
            name=name, values=list(parameter.values),
            parameter_type="float" if is_ordered else "str",
            is_ordered=is_ordered, dependent_parameters=dependents or None)
    is_integer = parameter.kind == parameter_space.INTEGER
    kind = int if is_integer else float
    return RangeParameterConfig(
        name=name, bounds=(kind(parameter.low / _unit(parameter)),
                           kind(parameter.high / _unit(parameter))),
        parameter_type="int" if is_integer else "float",
        scaling="log" if parameter.log else "linear")


if __name__ == "__main__":
    protocol.main(AxAdapter, packages=("ax-platform", "botorch", "gpytorch",
                                       "torch"))
