"""Functions of which a part of the space fails, as trainings do that run out of
memory or diverge: the optimizer is told that a point is infeasible, no more.

Each optimum is known exactly and lies where nothing fails, mostly near the edge
of what does: a loss is often best just before it diverges.
"""

import functools
import math

import numpy as np
import parameter_space
from problems.problem import DATA_FLOOR, Problem, random_point, stable_seed

double = parameter_space.double


class Failing(Problem):
    """`loss` over `parameters`, but where `fails`. A failed point scores as
    badly as any that does not fail.
    """

    def __init__(self, letter, parameters, loss, fails):
        super().__init__(f"failing-{letter}", "failing", parameters,
                         floor=DATA_FLOOR)
        self._loss = loss
        self._fails = fails

    def evaluate(self, point):
        return self._worst if self._fails(point) else float(self._loss(point))

    def observe(self, point, seed, index):
        return None if self._fails(point) else self.evaluate(point)

    def share_that_fails(self):
        rng = np.random.default_rng(stable_seed("failures", self.name))
        points = [random_point(self.parameters, rng) for _ in range(1000)]
        return sum(self._fails(point) for point in points) / len(points)

    @functools.cached_property
    def _worst(self):
        rng = np.random.default_rng(stable_seed("worst", self.name))
        points = [random_point(self.parameters, rng) for _ in range(1000)]
        return max(float(self._loss(point)) for point in points)


def _bowl(names, place):
    return lambda point: sum((point[name] - at) ** 2
                             for name, at in zip(names, place))


def _diverging():
    """A rate that is best a little below where training diverges, which
    momentum brings nearer.
    """
    def limit(point):
        return -0.5 + 1.5 * math.log10(1.001 - point["momentum"]) / 2

    def loss(point):
        lead = limit(point) - 0.15 - math.log10(point["rate"])
        return (0.1 * lead ** 2 + 0.3 * (point["momentum"] - 0.8) ** 2
                + 0.02 * (math.log10(point["decay"]) + 4) ** 2)
    return Failing(
        "a", [double("rate", 1e-5, 1.0, log=True),
              double("momentum", 0.0, 0.99),
              double("decay", 1e-6, 1e-1, log=True)], loss,
        lambda point: math.log10(point["rate"]) > limit(point))


def _out_of_memory():
    """Width times batch does not fit; more of both is better, up to a point."""
    def size(point):
        return math.log2(point["width"]) + math.log2(point["batch"])

    def loss(point):
        return (0.05 * (math.log2(point["width"]) - 9) ** 2
                + 0.03 * (math.log2(point["batch"]) - 7) ** 2
                + 0.1 * (math.log10(point["rate"]) + 3) ** 2
                + {"adam": 0.0, "sgd": 0.1}[point["optimizer"]])
    return Failing(
        "b", [parameter_space.integer("width", 16, 4096, log=True),
              parameter_space.discrete("batch", [2.0 ** k for k in range(3, 11)],
                                       log=True),
              double("rate", 1e-5, 1e-1, log=True),
              parameter_space.categorical("optimizer", ("adam", "sgd"))], loss,
        lambda point: size(point) > 16.5)


def _hole():
    """Failures all about the middle; the best lies in a corner region."""
    names = ("x", "y", "z")
    return Failing(
        "c", [double(name, 0, 1) for name in names],
        _bowl(names, (0.12, 0.85, 0.3)),
        lambda point: sum((point[name] - 0.55) ** 2 for name in names) < 0.2)


def _kernel_that_fails():
    """Two kernels fail where a number is large, one of them nearly always."""
    place = {"linear": (0.3, 0.6), "poly": (0.7, 0.3), "sigmoid": (0.5, 0.5)}
    handicap = {"linear": 0.1, "poly": 0.0, "sigmoid": 0.05}

    def loss(point):
        kernel = point["kernel"]
        return handicap[kernel] + _bowl(("u", "v"), place[kernel])(point)

    def fails(point):
        if point["kernel"] == "poly":
            return point["u"] + point["v"] > 1.1
        return point["kernel"] == "sigmoid" and point["u"] > 0.1
    return Failing(
        "d", [parameter_space.categorical("kernel", tuple(place)),
              double("u", 0, 1), double("v", 0, 1)], loss, fails)


def _narrow_strip():
    """Four fifths fail: what works is a strip across the space."""
    names = ("p", "q", "r", "s")
    return Failing(
        "e", [double(name, 0, 1) for name in names],
        _bowl(names, (0.7, 0.62, 0.2, 0.5)),
        lambda point: abs(point["p"] - point["q"]) > 0.105)


def _random_failures():
    """Every tenth point or so fails for no reason that can be learned."""
    names = ("g", "h", "k")

    def fails(point):
        where = [round(float(point[name]) * 1e9) for name in names]
        return stable_seed("chance", *where) % 10 == 0

    return Failing("f", [double(name, 0, 1) for name in names],
                   _bowl(names, (0.37, 0.58, 0.81)), fails)


def problems():
    return [_diverging(), _out_of_memory(), _hole(), _kernel_that_fails(),
            _narrow_strip(), _random_failures()]
