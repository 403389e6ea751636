"""google-vizier's default algorithm (GP-UCB-PE), in double precision.

The designer is kept between suggestions, which spares it the compilation that
the service pays at each one. Vizier's own conditional parameters are not
supported by this designer, so that it sees the tree flattened.
"""

import logging
import warnings

import jax
import protocol
import parameter_space
from vizier import algorithms
from vizier import pyvizier
from vizier._src.algorithms.designers import gp_ucb_pe

METRIC = "value"


class VizierAdapter:

    def __init__(self, parameters, seed, max_trials):
        del max_trials
        logging.disable(logging.CRITICAL)
        warnings.filterwarnings("ignore")
        # In single precision its Cholesky factors come out NaN.
        jax.config.update("jax_enable_x64", True)
        problem = pyvizier.ProblemStatement()
        problem.metric_information.append(pyvizier.MetricInformation(
            METRIC, goal=pyvizier.ObjectiveMetricGoal.MINIMIZE))
        for parameter in parameter_space.flattened(parameters):
            _add(problem.search_space.root, parameter)
        self._designer = gp_ucb_pe.VizierGPUCBPEBandit(
            problem, rng=jax.random.PRNGKey(seed))
        self._active = {}  # By id.
        self._asked = 0

    def ask(self, count):
        asked = []
        for suggestion in self._designer.suggest(count):
            self._asked += 1
            self._active[self._asked] = suggestion.to_trial(self._asked)
            asked.append((self._asked, suggestion.parameters.as_dict()))
        self._update([])
        return asked

    def tell(self, key, point, value):
        trial = self._active.pop(key)
        if value is None:
            trial.complete(pyvizier.Measurement(), infeasibility_reason="told")
        else:
            trial.complete(pyvizier.Measurement(metrics={METRIC: value}))
        self._update([trial])

    def _update(self, completed):
        self._designer.update(
            algorithms.CompletedTrials(completed),
            algorithms.ActiveTrials(list(self._active.values())))


def _add(root, parameter):
    name = parameter.name
    scale = (pyvizier.ScaleType.LOG if parameter.log
             else pyvizier.ScaleType.LINEAR)
    if parameter.kind == parameter_space.CATEGORICAL:
        root.add_categorical_param(name, list(parameter.values))
    elif parameter.kind == parameter_space.DISCRETE:
        root.add_discrete_param(name, list(parameter.values), scale_type=scale)
    elif parameter.kind == parameter_space.INTEGER:
        root.add_int_param(name, parameter.low, parameter.high,
                           scale_type=scale)
    else:
        root.add_float_param(name, parameter.low, parameter.high,
                             scale_type=scale)


if __name__ == "__main__":
    protocol.main(VizierAdapter, flattens=True,
                  packages=("google-vizier", "jax", "jaxlib", "tfp-nightly"))
