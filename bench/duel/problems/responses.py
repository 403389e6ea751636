"""Responses of a network's training to its settings, all of them always there:
what the first ten or twenty trials of a search have to find.

A response has the shape of the published ones. Too small a learning rate is too
slow, too large a one diverges, beyond a cliff, to what a network knows that has
learnt nothing; which rate is best moves with the size of the batch, the width and
the method. Wider and deeper is better, with less and less to gain. The strengths
of the regularisers trade off against each other and grow with the size of the
network. Some settings hardly matter. The least value is 0, but for rounding, which
is far below the floor of regret.
"""

import math

import numpy as np
import parameter_space
from problems.problem import DATA_FLOOR, Function, Noisy, stable_seed

RESPONSES = "abcdefghijklmnopqrstuvwxyz"[:24]

_OPTIONAL = ("batch", "weight_decay", "dropout", "width", "depth", "momentum",
             "activation", "method", "warmup", "smoothing")


def _parameters():
    double, integer = parameter_space.double, parameter_space.integer
    return {
        "rate": double("rate", 1e-5, 1.0, log=True),
        "batch": integer("batch", 8, 512, log=True),
        "weight_decay": double("weight_decay", 1e-7, 1e-1, log=True),
        "dropout": double("dropout", 0.0, 0.8),
        "width": integer("width", 16, 1024, log=True),
        "depth": integer("depth", 1, 8),
        "momentum": double("momentum", 0.0, 0.99),
        "activation": parameter_space.categorical("activation",
                                                  ("relu", "tanh", "gelu")),
        "method": parameter_space.categorical("method", ("adam", "sgd")),
        "warmup": double("warmup", 0.0, 0.3),
        "smoothing": double("smoothing", 0.0, 0.3),
    }


class _Response:
    """The loss above the best one, squashed below that of chance."""

    def __init__(self, name):
        rng = np.random.default_rng(stable_seed(name))
        count = int(rng.integers(3, 9))
        chosen = rng.permutation(len(_OPTIONAL))[:count]
        self._names = {"rate"} | {_OPTIONAL[i] for i in chosen}
        self._rate = rng.uniform(0.35, 0.65)  # Of the logarithmic range.
        self._slow = rng.uniform(3, 8)
        self._cliff = rng.uniform(0.08, 0.25)
        self._moves = {"batch": rng.uniform(0, 0.2), "width": rng.uniform(-0.2, 0),
                       "method": rng.choice([-1, 1]) * rng.uniform(0.05, 0.15)}
        self._gain = {name: rng.uniform(1, 4) for name in ("width", "depth")}
        self._weight = {name: 10.0 ** rng.uniform(-1.5, 0.3) for name in _OPTIONAL}
        self._place = {name: rng.uniform(0.1, 0.9) for name in _OPTIONAL}
        self._trade = rng.uniform(0, 0.4)
        self._handicap = {name: rng.uniform(0.02, 0.3)
                          for name in ("activation", "method")}
        self._best = {"activation": int(rng.integers(3)),
                      "method": int(rng.integers(2))}

    def parameters(self):
        return [parameter for name, parameter in _parameters().items()
                if name in self._names]

    def evaluate(self, point):
        u = {parameter.name: _unit(parameter, point[parameter.name])
             for parameter in self.parameters()}
        best = self._rate
        for name, move in self._moves.items():
            if name in u:
                best += move * (u[name] - 0.5)
        off = u["rate"] - best
        loss = self._slow * off * off
        if off > self._cliff:  # Diverges: little is left of what was learnt.
            loss += 1.5 + 4 * (off - self._cliff)
        size = 0.0
        for name in ("width", "depth"):
            if name in u:
                gain = self._gain[name]
                loss += self._weight[name] * (math.exp(-gain * u[name]) - math.exp(-gain))
                size += 0.5 * u[name]
        shift = self._trade * (size - 0.5)
        if "dropout" in u:
            place = min(0.95, max(0.05, self._place["dropout"] + shift))
            loss += self._weight["dropout"] * (u["dropout"] - place) ** 2
            shift -= self._trade * (u["dropout"] - place)
        if "weight_decay" in u:
            place = min(0.95, max(0.05, self._place["weight_decay"] + shift))
            loss += self._weight["weight_decay"] * (u["weight_decay"] - place) ** 2
        for name in ("batch", "momentum", "warmup", "smoothing"):
            if name in u:
                loss += self._weight[name] * (u[name] - self._place[name]) ** 2
        for name, handicap in self._handicap.items():
            if name in u and point[name] != _choices(name)[self._best[name]]:
                loss += handicap
        return math.tanh(loss)


def _choices(name):
    return _parameters()[name].values


def _unit(parameter, value):
    if not parameter.is_numeric():
        return float(parameter.values.index(value))
    if parameter.log:
        return math.log(value / parameter.low) / math.log(parameter.high / parameter.low)
    return (value - parameter.low) / (parameter.high - parameter.low)


def _function(letter):
    name = f"response-{letter}"
    response = _Response(name)
    return Function(name, "responses", response.parameters(), response.evaluate,
                    floor=DATA_FLOOR)


def problems():
    functions = [_function(letter) for letter in RESPONSES]
    return functions + [Noisy(function, "responses", 0.05) for function in functions[::2]]
