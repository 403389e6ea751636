"""HEBO. It has no conditional parameters, so that it sees the tree flattened.

It knows nothing of trials that are still running: in a parallel run it is asked
for a batch, or for one more point without them.
"""

import logging
import random
import warnings

import numpy as np
import protocol
import parameter_space
import torch
from hebo.design_space.design_space import DesignSpace
from hebo.optimizers.hebo import HEBO


class HeboAdapter:

    def __init__(self, parameters, seed, max_trials):
        del max_trials
        logging.disable(logging.CRITICAL)
        warnings.filterwarnings("ignore")
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self._flat = {parameter.name: parameter
                      for parameter in parameter_space.flattened(parameters)}
        space = DesignSpace().parse(
            [_variable(parameter) for parameter in self._flat.values()])
        self._optimizer = HEBO(space, scramble_seed=seed)

    def ask(self, count):
        rows = self._optimizer.suggest(n_suggestions=count)
        return [(rows.iloc[[i]], self._point(rows.iloc[i]))
                for i in range(len(rows))]

    def _point(self, row):
        point = {}
        for name, parameter in self._flat.items():
            value = row[name]
            if parameter.kind == parameter_space.DISCRETE:
                value = parameter.values[int(value)]
            point[name] = value
        return point

    def tell(self, key, point, value):
        if value is not None:
            self._optimizer.observe(key, np.array([[value]]))


def _variable(parameter):
    """HEBO has no list of numbers: the position keeps the order."""
    name = parameter.name
    if parameter.kind == parameter_space.CATEGORICAL:
        return {"name": name, "type": "cat",
                "categories": list(parameter.values)}
    if parameter.kind == parameter_space.DISCRETE:
        return {"name": name, "type": "int", "lb": 0,
                "ub": len(parameter.values) - 1}
    if parameter.kind == parameter_space.INTEGER:
        kind = "pow_int" if parameter.log else "int"
    else:
        kind = "pow" if parameter.log else "num"
    return {"name": name, "type": kind, "lb": parameter.low,
            "ub": parameter.high}


if __name__ == "__main__":
    protocol.main(HeboAdapter, flattens=True,
                  packages=("HEBO", "torch", "gpytorch", "pymoo"))
