"""Trainings that die: of memory, by divergence, or of either.

Values are minimised. Each seed is another instance: other optima, other slopes. The
best trainings lie near the border of those that die, as they do where a larger network
is better as long as it fits.
"""

import functools
import math
import os
import random
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from suggest_engine import choice, double, draw, integer  # noqa: E402

KINDS = ("memory", "divergence", "both")
SHARES = (0.15, 0.36, 0.6)
DRAWS = 4000


class LanguageModel:
    """Fourteen parameters of which six decide over life and death."""

    name = "language"
    params = [integer("depth", 2, 48, True), integer("width", 64, 4096, True),
              integer("batch", 4, 512, True), integer("sequence", 128, 4096, True),
              double("rate", 1e-5, 1e-1, True), double("decay", 1e-4, 1, True),
              double("warmup", 0, 0.3), double("dropout", 0, 0.5),
              double("beta", 0.9, 0.999), double("clip", 0.1, 10, True),
              double("init", 0.1, 10, True), choice("optimizer", ["adamw", "sgd", "lion"]),
              choice("activation", ["gelu", "relu", "swiglu"]),
              choice("precision", ["half", "single"])]

    def __init__(self, rng):
        self._size = rng.gauss(26, 1)
        self._batch = rng.gauss(6.5, 0.7)
        self._sequence = rng.gauss(10, 0.7)
        self._lead = rng.gauss(0.4, 0.1)
        self._decay = rng.gauss(-1.5, 0.5)
        self._dropout = abs(rng.gauss(0.1, 0.05))
        self._warmup = rng.uniform(0.02, 0.15)
        self._optimizer = {"adamw": 0, "sgd": 0.5 + rng.random() / 4, "lion": rng.random() / 10}
        self._activation = {"gelu": 0, "relu": 0.05, "swiglu": rng.uniform(-0.05, 0.05)}
        self._widths = rng.uniform(0.1, 0.25)

    def size(self, p):
        return math.log2(p["depth"]) + 2 * math.log2(p["width"])

    def memory(self, p):
        return (0.7 * self.size(p) + math.log2(p["batch"]) + math.log2(p["sequence"])
                + (1 if p["precision"] == "single" else 0))

    def heat(self, p):
        """How near to divergence it is, in decades of the rate."""
        return (math.log10(p["rate"]) + self._widths * math.log2(p["width"] / 512)
                + 0.5 * abs(math.log10(p["init"])) - 2 * p["warmup"]
                + 0.3 * math.log10(p["clip"])
                + {"adamw": 0, "sgd": -1, "lion": 0.5}[p["optimizer"]])

    def loss(self, p, hottest):
        lead = hottest - self._lead - self.heat(p)
        return (0.03 * max(0.0, self._size - self.size(p)) ** 1.5
                + 0.03 * (math.log2(p["batch"]) - self._batch) ** 2
                + 0.03 * (math.log2(p["sequence"]) - self._sequence) ** 2
                + 0.15 * lead * lead
                + 0.03 * (math.log10(p["decay"]) - self._decay) ** 2
                + 2 * (p["dropout"] - self._dropout) ** 2
                + 2 * (p["warmup"] - self._warmup) ** 2
                + 20 * (p["beta"] - 0.98) ** 2
                + self._optimizer[p["optimizer"]] + self._activation[p["activation"]])


class SmallNetwork:
    """Five parameters, all of which count."""

    name = "small"
    params = [integer("layers", 1, 12), integer("width", 16, 2048, True),
              integer("batch", 8, 1024, True), double("rate", 1e-5, 1, True),
              double("momentum", 0, 0.99)]

    def __init__(self, rng):
        self._layers = rng.gauss(7, 1)
        self._width = rng.gauss(9.5, 0.5)
        self._batch = rng.gauss(7.5, 0.7)
        self._lead = rng.gauss(0.3, 0.1)
        self._momentum = rng.uniform(0.7, 0.95)

    def memory(self, p):
        return (math.log2(p["layers"] + 1) + 1.5 * math.log2(p["width"])
                + math.log2(p["batch"]))

    def heat(self, p):
        return (math.log10(p["rate"]) - math.log10(1.01 - p["momentum"])
                - 0.5 * math.log10(p["batch"] / 64))

    def loss(self, p, hottest):
        lead = hottest - self._lead - self.heat(p)
        return (0.02 * (p["layers"] - self._layers) ** 2
                + 0.05 * (math.log2(p["width"]) - self._width) ** 2
                + 0.04 * (math.log2(p["batch"]) - self._batch) ** 2
                + 0.15 * lead * lead + (p["momentum"] - self._momentum) ** 2)


class Training:
    """An instance of which about `share` of the space dies."""

    def __init__(self, kind, family, share, seed):
        self.params = family.params
        self._kind = kind
        self._model = family(random.Random(f"{family.name}/{seed}"))
        rng = random.Random(f"{family.name}/{seed}/{kind}/{share}")
        points = [draw(self.params, rng) for _ in range(DRAWS)]
        # Of those that die by either, each kind takes about half.
        part = 1 - math.sqrt(1 - share) if kind == "both" else share
        self._most_memory = self._limit(map(self._model.memory, points), part)
        self._hottest = self._limit(map(self._model.heat, points), part)
        alive = sorted(self._loss(point) for point in points if not self.dies(point))
        self.levels = [alive[int(len(alive) * part)] for part in (0.02, 0.002)]

    @staticmethod
    def _limit(values, share):
        ordered = sorted(values)
        return ordered[int((1 - share) * len(ordered))]

    def _loss(self, point):
        return self._model.loss(point, self._hottest)

    def dies(self, point):
        return (self._kind != "divergence" and self._model.memory(point) > self._most_memory
                or self._kind != "memory" and self._model.heat(point) > self._hottest)

    def value(self, point):
        """None: it died."""
        return None if self.dies(point) else self._loss(point)


FAMILIES = {family.name: family for family in (LanguageModel, SmallNetwork)}


@functools.lru_cache(maxsize=None)
def training(kind, family, share, seed):
    return Training(kind, FAMILIES[family], share, seed)
