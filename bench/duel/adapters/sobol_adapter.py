"""Scrambled Sobol points over the flattened space, inactive parts left out."""

import protocol
import parameter_space
from scipy.stats import qmc


class SobolAdapter:

    def __init__(self, parameters, seed, max_trials):
        del max_trials
        self._parameters = parameters
        self._flat = parameter_space.flattened(parameters)
        self._points = qmc.Sobol(len(self._flat), scramble=True, seed=seed)

    def ask(self, count):
        return [(None, self._next_point()) for _ in range(count)]

    def _next_point(self):
        coordinates = self._points.random(1)[0]
        return {parameter.name: parameter_space.from_unit(parameter, float(u))
                for parameter, u in zip(self._flat, coordinates)}

    def tell(self, key, point, value):
        pass


if __name__ == "__main__":
    protocol.main(SobolAdapter, packages=("scipy",))
