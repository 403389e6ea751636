"""Tables: every configuration of a finite grid, measured a few times.

A table answers a trial with one of its repeats, drawn at random, and is scored
by the mean of them all, so its noise is that of real training and its optimum
is known. It is measured once and kept in build/duel/cache.
"""

import functools
import itertools
import json
import os

import numpy as np
from problems.problem import DATA_FLOOR, Problem, cache_folder, stable_seed


class Table(Problem):
    """`measure(point, repeat)` gives one value; `repeats` of them a cell."""

    def __init__(self, name, family, parameters, measure, repeats, group=None):
        super().__init__(name, family, parameters, group=group, optimum=None,
                         floor=DATA_FLOOR)
        self._measure = measure
        self._repeats = repeats

    @functools.cached_property
    def _cells(self):
        """Values by cell, repeats in the last axis."""
        shape = [len(parameter.values) for parameter in self.parameters]
        path = os.path.join(cache_folder(), f"{self.name}.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return np.array(json.load(file))
        values = np.empty(shape + [self._repeats])
        for index in itertools.product(*map(range, shape)):
            point = self._point(index)
            values[index] = [self._measure(point, repeat)
                             for repeat in range(self._repeats)]
        partial = f"{path}.{os.getpid()}"
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(values.tolist(), file)
        os.replace(partial, path)
        return values

    def _point(self, index):
        return {parameter.name: parameter.values[i]
                for parameter, i in zip(self.parameters, index)}

    def _index(self, point):
        return tuple(parameter.values.index(point[parameter.name])
                     for parameter in self.parameters)

    @functools.cached_property
    def _means(self):
        return self._cells.mean(axis=-1)

    @property
    def optimum(self):
        return float(self._means.min())

    @optimum.setter
    def optimum(self, value):
        """The table knows better."""

    @functools.cached_property
    def random_sample(self):
        return np.sort(self._means, axis=None)

    def evaluate(self, point):
        return float(self._means[self._index(point)])

    def observe(self, point, seed, index):
        rng = np.random.default_rng(stable_seed("noise", self.name, seed, index))
        return float(self._cells[self._index(point)][rng.integers(self._repeats)])
