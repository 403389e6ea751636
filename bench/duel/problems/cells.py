"""Spaces that are categorical throughout, with noise.

Half are NK landscapes: the value of a place depends on what stands at K other
places. Half are cells in the manner of architecture search, on real data: each
edge of a small graph carries an operation, the graph turns fixed random
features into others, and a ridge regression reads the last node.
"""

import functools
import itertools

import numpy as np
import parameter_space
from problems import datasets
from problems.problem import DATA_FLOOR, Function, Noisy, stable_seed
from problems.tables import Table

CELL_REPEATS = 3
CELL_WIDTH = 24
OPERATIONS = ("none", "skip", "relu", "tanh", "product")
# From node to node; node 0 is the input, node 3 the output.
EDGES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
RIDGE = 0.1

# Letter, places, what may stand at each, and K.
LANDSCAPES = (("a", 5, 5, 2), ("b", 6, 4, 2), ("c", 6, 5, 1), ("d", 8, 3, 3),
              ("e", 5, 5, 1), ("f", 7, 4, 1), ("g", 8, 3, 1), ("h", 6, 5, 2),
              ("i", 7, 4, 2), ("j", 8, 3, 2), ("k", 10, 2, 2), ("l", 10, 2, 3),
              ("m", 6, 4, 1), ("n", 7, 5, 1), ("o", 5, 6, 1), ("p", 12, 2, 2),
              ("q", 9, 3, 2), ("r", 6, 6, 1))


def landscape(letter, places, letters, neighbours):
    """An NK landscape moved to have its least value at 0."""
    name = f"nk-{letter}-{letters}^{places}"
    rng = np.random.default_rng(stable_seed(name))
    shape = (letters,) * (neighbours + 1)
    worths = rng.uniform(size=(places,) + shape)
    linked = [(i,) + tuple(rng.choice([j for j in range(places) if j != i],
                                      neighbours, replace=False))
              for i in range(places)]

    def total(index):
        return sum(worths[i][tuple(index[j] for j in linked[i])]
                   for i in range(places)) / places

    @functools.lru_cache(maxsize=None)
    def least():
        every = np.array(list(itertools.product(range(letters), repeat=places))).T
        return float(np.min(total(every)))

    parameters = [parameter_space.categorical(
        f"place{i}", [f"v{k}" for k in range(letters)]) for i in range(places)]
    return Function(
        name, "cells", parameters,
        lambda point: total([int(point[f"place{i}"][1:])
                             for i in range(places)]) - least(),
        group=f"nk-{letter}", floor=DATA_FLOOR)


@functools.lru_cache(maxsize=None)
def _features(data, rows, repeat):
    """A random layer on the inputs, and one random matrix for each edge."""
    train, test, train_targets, test_targets = datasets.split(data, rows, repeat)
    rng = np.random.default_rng(repeat)
    first = rng.normal(size=(train.shape[1], CELL_WIDTH)) / train.shape[1] ** 0.5
    matrices = rng.normal(size=(len(EDGES), 2, CELL_WIDTH, CELL_WIDTH))
    matrices /= CELL_WIDTH ** 0.5
    inputs = np.tanh(np.concatenate([train, test]) @ first)
    return inputs, len(train), matrices, train_targets, test_targets


def _apply(operation, x, matrices):
    if operation == "skip":
        return x
    if operation == "relu":
        return np.maximum(0, x @ matrices[0])
    if operation == "tanh":
        return np.tanh(2 * (x @ matrices[0]))
    if operation == "product":
        return (x @ matrices[0]) * (x @ matrices[1])
    return np.zeros_like(x)


def _cell_error(data, rows, point, repeat):
    """Validation error of the ridge regression, as a share of the variance."""
    x, train_rows, matrices, train_targets, test_targets = _features(
        data, rows, repeat)
    nodes = [x] + [np.zeros_like(x) for _ in range(3)]
    for i, (source, target) in enumerate(EDGES):
        nodes[target] = nodes[target] + _apply(point[f"edge{i}"], nodes[source],
                                               matrices[i])
    features = np.hstack([nodes[3], np.ones((len(x), 1))])
    wanted, truth = train_targets, test_targets
    if data not in datasets.REGRESSION:
        classes = np.unique(train_targets)
        wanted = (train_targets[:, None] == classes) * 1.0
        truth = (test_targets[:, None] == classes) * 1.0
    train = features[:train_rows]
    weights = np.linalg.solve(
        train.T @ train + RIDGE * np.eye(features.shape[1]), train.T @ wanted)
    error = np.mean((features[train_rows:] @ weights - truth) ** 2)
    return float(min(error / np.var(truth), 5.0))


def cell(data, rows):
    parameters = [parameter_space.categorical(f"edge{i}", OPERATIONS)
                  for i in range(len(EDGES))]
    return Table(f"cell-{data}", "cells", parameters,
                 lambda point, repeat: _cell_error(data, rows, point, repeat),
                 CELL_REPEATS)


def problems():
    landscapes = [Noisy(landscape(*shape), "cells", 0.10)
                  for shape in LANDSCAPES]
    return landscapes + [cell(data, 300) for data in
                         ("diabetes", "digits", "friedman", "parity")]
