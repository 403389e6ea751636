"""Spaces that are trees: what exists depends on what was chosen above it.

Each is built so that its least value is 0 and is known exactly: a branch adds
its own handicap, of which one branch has none, to terms that are never
negative. The optimum of the branches differs, so what was learnt in one does
not carry over to its neighbour.
"""

import math

import numpy as np
import parameter_space
from problems.problem import DATA_FLOOR, Function, Noisy, stable_seed

LAYERS = (1, 2, 3, 4)
SWITCHES = (("a", 2, 2, 2), ("b", 2, 3, 3), ("c", 3, 2, 2), ("d", 3, 3, 2),
            ("e", 2, 5, 2))


TRAININGS = "acbmdpes"  # c, m, p and s are for tuning.


class _Bowl:
    """A rotated quadratic on a group of coordinates in [0, 1], with ripples
    on every other one; 0 at its place, about 1 a little way from it.
    """

    def __init__(self, d, rng):
        self._place = rng.uniform(0.15, 0.85, d)
        turn, _ = np.linalg.qr(rng.normal(size=(d, d)))
        self._matrix = np.diag(rng.uniform(1, 4, d)) @ turn
        self._ripple = 0.15 * rng.integers(0, 2)

    def __call__(self, x):
        z = self._matrix @ (np.asarray(x) - self._place)
        return z @ z + self._ripple * np.sum(np.sin(4 * np.pi * z) ** 2)


class _Switch:
    """A choice whose every branch has coordinates of its own and, above the
    last level, a choice of its own.
    """

    def __init__(self, path, levels, branches, d, rng):
        self.name = "switch" + path
        best = rng.integers(branches)
        self.branches = {}
        groups = []
        for k in range(branches):
            value = f"v{k}"
            handicap = 0.0 if k == best else rng.uniform(0.05, 0.4)
            names = [f"x{path}_{k}_{i}" for i in range(d)]
            below = (_Switch(f"{path}_{k}", levels - 1, branches, d, rng)
                     if levels > 1 else None)
            group = [parameter_space.double(name, 0, 1) for name in names]
            if below:
                group.append(below.parameter)
            groups.append(((value,), tuple(group)))
            self.branches[value] = (handicap, names, _Bowl(d, rng), below)
        self.parameter = parameter_space.categorical(
            self.name, list(self.branches), tuple(groups))

    def evaluate(self, point):
        handicap, names, bowl, below = self.branches[point[self.name]]
        value = handicap + bowl([point[name] for name in names])
        return value + (below.evaluate(point) if below else 0.0)


def switch_tree(letter, levels, branches, d):
    """`levels` choices of `branches` ways above one another, `d` coordinates
    in each branch, and one that all share.
    """
    name = f"switch-{letter}-{levels}x{branches}"
    rng = np.random.default_rng(stable_seed(name))
    root = _Switch("", levels, branches, d, rng)
    place = rng.uniform(0.2, 0.8)

    def evaluate(point):
        return root.evaluate(point) + 4 * (point["shared"] - place) ** 2
    return Function(name, "conditional",
                    [root.parameter, parameter_space.double("shared", 0, 1)],
                    evaluate, group=f"switch-{letter}")


# A network and its optimizer. The best rate of each optimizer differs, and it
# falls as the network grows, which couples the branches of the two choices.

OPTIMIZERS = {
    "sgd": dict(handicap=0.06, log_rate=-1.2),
    "adam": dict(handicap=0.0, log_rate=-3.0),
    "rmsprop": dict(handicap=0.03, log_rate=-3.4),
}


def _optimizer_parameter():
    double = parameter_space.double
    return parameter_space.categorical("optimizer", list(OPTIMIZERS), (
        (("sgd",), (double("sgd_rate", 1e-4, 1.0, log=True),
                    double("sgd_momentum", 0.0, 0.99),
                    parameter_space.categorical("sgd_nesterov", ("no", "yes")))),
        (("adam",), (double("adam_rate", 1e-5, 1e-1, log=True),
                     double("adam_one_minus_beta1", 1e-2, 0.5, log=True),
                     double("adam_one_minus_beta2", 1e-4, 1e-1, log=True))),
        (("rmsprop",), (double("rmsprop_rate", 1e-5, 1e-1, log=True),
                        double("rmsprop_decay", 0.5, 0.999))),
    ))


def _layers_parameter():
    """The width of a layer exists while the network is that deep."""
    groups = []
    for layer in LAYERS:
        deep_enough = tuple(float(n) for n in LAYERS if n >= layer)
        groups.append((deep_enough, (
            parameter_space.integer(f"width_{layer}", 8, 512, log=True),)))
    return parameter_space.discrete("layers", map(float, LAYERS),
                                    children=tuple(groups))


def _optimizer_loss(point, best_log_rate):
    name = point["optimizer"]
    loss = 0.08 * (math.log10(point[name + "_rate"]) - best_log_rate) ** 2
    if name == "sgd":
        loss += 0.3 * (point["sgd_momentum"] - 0.9) ** 2
        loss += 0.0 if point["sgd_nesterov"] == "yes" else 0.01
    elif name == "adam":
        loss += 0.02 * (math.log10(point["adam_one_minus_beta1"]) + 1) ** 2
        loss += 0.01 * (math.log10(point["adam_one_minus_beta2"]) + 3) ** 2
    else:
        loss += 0.2 * (point["rmsprop_decay"] - 0.9) ** 2
    return loss


def network_loss(point):
    """0 for adam, 3 layers of widths 128, 64 and 32, and the right rates."""
    layers = int(point["layers"])
    loss = {1: 0.15, 2: 0.03, 3: 0.0, 4: 0.02}[layers]
    excess = 0.0
    for layer in range(1, layers + 1):
        log_ratio = math.log2(point[f"width_{layer}"]) - (8 - layer)
        loss += 0.012 / layer * log_ratio ** 2
        excess += log_ratio
    loss += 0.004 * max(0, layers - 2) * excess ** 2 / layers
    choice = OPTIMIZERS[point["optimizer"]]
    best_log_rate = choice["log_rate"] - 0.08 * excess - 0.2 * (layers - 3)
    loss += choice["handicap"] + _optimizer_loss(point, best_log_rate)
    loss += 0.4 * (point["dropout"] - 0.25) ** 2
    loss += 0.01 * (math.log10(point["weight_decay"]) + 4) ** 2
    loss += {"relu": 0.0, "gelu": 0.005, "tanh": 0.04}[point["activation"]]
    # A loss that diverges levels off, as that of a real network does.
    return 2.3 * math.tanh(loss)


def network_tree():
    return Function(
        "network-tree", "conditional",
        [_optimizer_parameter(), _layers_parameter(),
         parameter_space.categorical("activation", ("tanh", "relu", "gelu")),
         parameter_space.double("dropout", 0.0, 0.8),
         parameter_space.double("weight_decay", 1e-6, 1e-1, log=True),
         parameter_space.discrete("batch", (16.0, 32.0, 64.0, 128.0), log=True)],
        network_loss, floor=DATA_FLOOR)


class _Training:
    """A training with a choice of methods, each with settings of its own, a
    depth with a setting for each layer, and many settings that all share; most
    matter little, as it is with real ones. What is best moves with the depth.
    The least value is 0, but for the rounding of widths, which is far below the
    floor of regret.
    """

    def __init__(self, name):
        rng = np.random.default_rng(stable_seed(name))
        self._methods = {f"m{k}": self._draw(rng, rng.integers(2, 5))
                         for k in range(rng.integers(2, 5))}
        self._handicaps = self._draw_handicaps(rng, len(self._methods), 0.08)
        self._layers = self._draw(rng, 4)
        self._shared = self._draw(rng, rng.integers(4, 9))
        self._depth_handicaps = self._draw_handicaps(rng, 4, 0.15)
        self._kinds = self._draw_handicaps(rng, 3, 0.06)
        self._shift = rng.uniform(-0.1, 0.1, 4)

    @staticmethod
    def _draw(rng, count):
        """Best place and weight of each setting; weights differ a hundredfold."""
        return [(rng.uniform(0.15, 0.85), 10.0 ** rng.uniform(-1.7, 0.4))
                for _ in range(count)]

    @staticmethod
    def _draw_handicaps(rng, count, most):
        handicaps = rng.uniform(0.01, most, count)
        handicaps[rng.integers(count)] = 0.0
        return handicaps

    def parameters(self):
        double = parameter_space.double
        methods = tuple(
            ((name,), tuple(double(f"{name}_{i}", 0, 1)
                            for i in range(len(settings))))
            for name, settings in self._methods.items())
        layers = tuple(
            (tuple(float(n) for n in LAYERS if n >= layer),
             (parameter_space.integer(f"width_{layer}", 8, 512, log=True),))
            for layer in LAYERS)
        shared = [double(f"shared_{i}", 0, 1) for i in range(len(self._shared))]
        return [parameter_space.categorical("method", list(self._methods), methods),
                parameter_space.discrete("layers", map(float, LAYERS),
                                         children=layers),
                parameter_space.categorical("kind", ("a", "b", "c"))] + shared

    def evaluate(self, point):
        layers = int(point["layers"])
        shift = self._shift[layers - 1]
        method = list(self._methods).index(point["method"])
        loss = (self._handicaps[method] + self._depth_handicaps[layers - 1]
                + self._kinds["abc".index(point["kind"])])
        for i, (place, weight) in enumerate(self._methods[point["method"]]):
            value = point[f"{point['method']}_{i}"]
            loss += weight * (value - place - (shift if i == 0 else 0)) ** 2
        for i, (place, weight) in enumerate(self._layers[:layers]):
            width = math.log(point[f"width_{i + 1}"] / 8) / math.log(64)
            loss += 0.5 * weight * (width - place) ** 2
        for i, (place, weight) in enumerate(self._shared):
            loss += weight * (point[f"shared_{i}"] - place) ** 2
        return math.tanh(loss)


def training_tree(letter):
    name = f"training-{letter}"
    training = _Training(name)
    return Function(name, "conditional", training.parameters(), training.evaluate,
                    floor=DATA_FLOOR)


def problems():
    trees = [switch_tree(*shape) for shape in SWITCHES]
    network = network_tree()
    trainings = [training_tree(letter) for letter in TRAININGS]
    return trees + [network, Noisy(network, "conditional", 0.10),
                    Noisy(trees[1], "conditional", 0.10), *trainings,
                    *(Noisy(training, "conditional", 0.10)
                      for training in trainings[1:5])]
