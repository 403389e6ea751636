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


def problems():
    trees = [switch_tree(*shape) for shape in SWITCHES]
    network = network_tree()
    return trees + [network, Noisy(network, "conditional", 0.10),
                    Noisy(trees[1], "conditional", 0.10)]
