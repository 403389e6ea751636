"""Random search, uniform on each parameter's scale."""

import random

import protocol
import parameter_space


class RandomAdapter:

    def __init__(self, parameters, seed, max_trials):
        del max_trials
        self._parameters = parameters
        self._rng = random.Random(seed)

    def ask(self, count):
        return [(None, parameter_space.build_point(
            self._parameters,
            lambda parameter: parameter_space.from_unit(
                parameter, self._rng.random()))) for _ in range(count)]

    def tell(self, key, point, value):
        pass


if __name__ == "__main__":
    protocol.main(RandomAdapter)
