"""Families of tasks that resemble each other, as the trainings of one team do.

A task is drawn from its family by a number. Values are minimised; each task has a
scale and a level of its own, so that values of two tasks cannot be compared.
"""

import functools
import math
import os
import random
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from suggest_engine import choice, double, draw, integer, snapped  # noqa: E402


class Network:
    """A network: a rate that depends on the optimizer and the batch, sizes, decay."""

    params = [double("lr", 1e-5, 1, True), integer("batch", 8, 512, True),
              integer("layers", 1, 8), integer("width", 16, 1024, True),
              double("dropout", 0, 0.8), double("decay", 1e-6, 1e-1, True),
              choice("optimizer", ["sgd", "adam", "rms"])]

    def __init__(self, rng):
        shift = rng.gauss(0, 0.3)
        self.best_rate = {"sgd": -1.2 + shift + rng.gauss(0, 0.15),
                          "adam": -3.0 + shift + rng.gauss(0, 0.15),
                          "rms": -2.7 + shift + rng.gauss(0, 0.15)}
        self.cost = {"sgd": abs(rng.gauss(0.06, 0.06)), "adam": abs(rng.gauss(0, 0.03)),
                     "rms": abs(rng.gauss(0.05, 0.05))}
        self.layers = min(8, max(1, rng.gauss(4, 1)))
        self.width = rng.gauss(7.5, 0.8)
        self.dropout = min(0.7, max(0.0, rng.gauss(0.25, 0.1)))
        self.decay = rng.gauss(-4, 0.6)
        self.batch_slope = rng.gauss(0.35, 0.1)

    def __call__(self, p):
        rate = math.log10(p["lr"]) - self.batch_slope * math.log10(p["batch"] / 64)
        off = rate - self.best_rate[p["optimizer"]]
        loss = 0.2 * off * off + self.cost[p["optimizer"]]
        if off > 1:
            loss += 1.2 * (1 - math.exp(-3 * (off - 1)))
        loss += 0.015 * (p["layers"] - self.layers) ** 2
        loss += 0.03 * (math.log2(p["width"]) - self.width) ** 2
        loss += 0.5 * (p["dropout"] - self.dropout) ** 2
        loss += 0.02 * (math.log10(p["decay"]) - self.decay) ** 2
        return loss + 0.02 * abs(math.log2(p["batch"] / 64))


class Trees:
    """Boosted trees: rounds times rate, depth against leaf weight, two fractions."""

    params = [double("eta", 1e-3, 1, True), integer("rounds", 10, 2000, True),
              integer("depth", 1, 12), double("leaf", 0.5, 100, True),
              double("rows", 0.3, 1), double("columns", 0.3, 1)]

    def __init__(self, rng):
        self.work = rng.gauss(3.4, 0.5)
        self.depth = rng.gauss(6, 1.2)
        self.leaf = rng.gauss(1.2, 0.5)
        self.rows = rng.gauss(0.75, 0.1)
        self.columns = rng.gauss(0.65, 0.12)
        self.fine = abs(rng.gauss(0.05, 0.02))

    def __call__(self, p):
        work = math.log(p["eta"] * p["rounds"])
        loss = 0.1 * (work - self.work) ** 2
        loss += self.fine * (math.log10(p["eta"]) + 2) ** 2
        depth = self.depth + 0.8 * (math.log(p["leaf"]) - self.leaf)
        loss += 0.03 * (p["depth"] - depth) ** 2
        loss += 0.04 * (math.log(p["leaf"]) - self.leaf) ** 2
        loss += 0.8 * (p["rows"] - self.rows) ** 2 + 0.6 * (p["columns"] - self.columns) ** 2
        return math.log1p(2 * loss)


class Waves:
    """Random smooth functions of four numbers: a common part and a part of its own."""

    params = [double(name, 0, 1) for name in "abcd"]

    def __init__(self, rng):
        common = random.Random("waves")
        self.parts = [self._part(common, 1.0) for _ in range(24)]
        self.parts += [self._part(rng, 0.35) for _ in range(24)]

    @staticmethod
    def _part(rng, size):
        return ([rng.gauss(0, 2.5) for _ in range(4)], rng.uniform(0, 2 * math.pi),
                size * rng.gauss(0, 1) / math.sqrt(24))

    def __call__(self, p):
        x = [p[name] for name in "abcd"]
        return sum(size * math.cos(phase + sum(w * v for w, v in zip(weights, x)))
                   for weights, phase, size in self.parts)


FAMILIES = {"network": Network, "trees": Trees, "waves": Waves}


def moved(params, point, size, rng):
    """A neighbour: some parameters change by `size` of their range."""
    new = dict(point)
    for each in params:
        name = each["parameterName"]
        if rng.random() < 0.5:
            continue
        if each["type"] == "CATEGORICAL":
            if rng.random() < size:
                new[name] = rng.choice(each["categoricalValues"])
            continue
        low, high = each["minValue"], each["maxValue"]
        if each["scaleType"] == "UNIT_LOG_SCALE":
            new[name] = math.exp(math.log(max(point[name], low))
                                 + size * rng.gauss(0, 1) * math.log(high / low))
        else:
            new[name] = point[name] + size * rng.gauss(0, 1) * (high - low)
        if each["type"] == "INTEGER" and rng.random() < 0.5:
            new[name] = point[name] + rng.choice((-1, 1))
    return snapped(params, new)


class Task:
    """One task: `value(point)` in its own units, `regret(value)` from 1 to 0."""

    def __init__(self, family, number):
        rng = random.Random(f"{family}/{number}")
        self.params = FAMILIES[family].params
        self._function = FAMILIES[family](rng)
        self._scale = math.exp(rng.gauss(0, 1))
        self._level = rng.gauss(0, 2)
        self._bounds()

    def _bounds(self):
        rng = random.Random(1)
        points = [draw(self.params, rng) for _ in range(3000)]
        values = sorted((self._function(each), i) for i, each in enumerate(points))
        self._median = values[len(values) // 2][0]
        best, best_value = None, math.inf
        for value, i in values[:5]:
            point, size = points[i], 0.1
            for step in range(1500):
                new = moved(self.params, point, size, rng)
                found = self._function(new)
                if found < value:
                    point, value = new, found
                elif step % 100 == 99:
                    size *= 0.7
            if value < best_value:
                best, best_value = point, value
        self._optimum = best_value
        self.best = best

    def value(self, point):
        return self._level + self._scale * self._function(point)

    def regret(self, value):
        raw = (value - self._level) / self._scale
        return max(1e-4, (raw - self._optimum) / (self._median - self._optimum))

    def study(self, trials=50):
        """An earlier study: random points, then points near its best."""
        rng = random.Random(self._scale)
        done = []
        for i in range(trials):
            if i < trials // 2:
                point = draw(self.params, rng)
            else:
                point = moved(self.params, min(done, key=lambda each: each[1])[0], 0.15, rng)
            done.append((point, self.value(point)))
        return done


@functools.lru_cache(maxsize=None)
def task(family, number):
    return Task(family, number)
