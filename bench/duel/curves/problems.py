"""Problems whose trials are learning curves; less is better."""
import functools
import hashlib
import math
import pathlib

import lcbench
import numpy
from families import RECORDED, TORCH_NETWORKS, Parameter, log
from families import reachable, surrogate_inputs, to_values

RECORDS = pathlib.Path(__file__).with_name("recorded.npz")
NETWORK_CURVES = pathlib.Path(__file__).with_name("networks.npz")
NEIGHBOURS = 5
SAMPLES = 4000
FLOOR = 1e-3


@functools.cache
def tables(file):
    return dict(numpy.load(file))


def noise_at(unit, count):
    """Values of a standard normal distribution, always the same ones at a place."""
    bits = hashlib.sha256(numpy.round(unit, 9).tobytes()).digest()[:8]
    rng = numpy.random.default_rng(int.from_bytes(bits, "big"))
    return rng.normal(0, 1, count)


class Problem:
    """`curve(parameters)` is the list of values after each epoch.

    Regret is of the final value: 0 at the best one that is known, 1 at the
    median of random configurations.
    """

    neighbours = 1  # Tried at once in the search for the best.

    def __init__(self, name, parameters, epochs):
        self.name = name
        self.parameters = parameters
        self.epochs = epochs
        self._optimum = None

    def unit(self, values):
        return numpy.array([p.unit(values[p.name]) for p in self.parameters])

    def curve(self, values):
        return self.curve_at(self.unit(values))

    def end(self, values):
        """The last value as it would be without what noise adds to a report."""
        return float(self.curve(values)[-1])

    def epoch_seconds(self, values):
        """How long each epoch of a training takes."""
        return 1.0

    def median_seconds(self):
        """How long half of all trainings take at most."""
        points = numpy.random.default_rng(2).random((501, len(self.parameters)))
        seconds = [self.epoch_seconds(to_values(self.parameters, p)) for p in points]
        return self.epochs * float(numpy.median(seconds))

    def _measure(self):
        points = numpy.random.default_rng(0).random((SAMPLES, len(self.parameters)))
        points = reachable(self.parameters, points)
        finals = self.finals_at(points)
        self._middle = float(numpy.median(finals))
        rng = numpy.random.default_rng(1)
        best = float(finals.min())
        for start in numpy.argsort(finals)[:10]:
            place, value = points[start], finals[start]
            for step in numpy.geomspace(0.1, 0.003, 120):
                near = rng.normal(0, step, (self.neighbours, len(place)))
                near = numpy.clip(place + near, 0, 1 - 1e-9)
                near = reachable(self.parameters, near)
                there = self.finals_at(near)
                if there.min() < value:
                    place, value = near[there.argmin()], there.min()
            best = min(best, float(value))
        self._optimum = best

    def finals_at(self, units):
        return numpy.array([self.curve_at(unit)[-1] for unit in units])

    def optimum(self):
        if self._optimum is None:
            self._measure()
        return self._optimum

    def decades(self, value):
        optimum = self.optimum()
        # Worse than the middle of all places is no better than nothing.
        if value is None:
            return 0.0
        regret = (value - optimum) / (self._middle - optimum)
        return min(0.0, math.log10(max(regret, FLOOR)))


class RecordedProblem(Problem):
    """Real trainings of scikit-learn; between their places a smooth mean of the nearest ones."""

    def __init__(self, name):
        family = RECORDED[name]
        super().__init__(name, family.parameters, family.epochs)
        self._points = tables(RECORDS)[f"{name}/points"].astype(float)
        self._curves = tables(RECORDS)[f"{name}/curves"].astype(float)

    def curve_at(self, unit):
        squared = ((self._points - unit) ** 2).sum(1)
        near = numpy.argpartition(squared, NEIGHBOURS)[:NEIGHBOURS]
        reach = squared[near].max() * 1.05
        weights = numpy.maximum(0, 1 - squared[near] / reach) ** 2
        weights /= squared[near] + 0.002
        return (weights / weights.sum()) @ self._curves[near]


class NetworkProblem(Problem):
    """Real trainings of PyTorch networks, by the surrogate of record_networks.py.

    A curve goes up and down like that of the nearest recorded training; its last
    value is the surrogate's.
    """

    neighbours = 16

    def __init__(self, name):
        family = TORCH_NETWORKS[name]
        super().__init__(name, family.parameters, family.epochs)
        table = {
            key.removeprefix(f"{name}/"): value.astype(float)
            for key, value in tables(NETWORK_CURVES).items()
            if key.startswith(f"{name}/")
        }
        self._layers = [(table[f"weight{i}"], table[f"bias{i}"]) for i in range(4)]
        self._mean, self._scale = table["mean"], table["scale"]
        self._places, self._jitter = table["places"], table["jitter"]

    def _logs(self, inputs):
        x = inputs
        for weight, bias in self._layers[:-1]:
            x = x @ weight + bias
            # GELU by its usual approximation (Hendrycks and Gimpel 2016).
            x = 0.5 * x * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
        weight, bias = self._layers[-1]
        return (x @ weight + bias) * self._scale + self._mean

    def curve_at(self, unit):
        inputs = surrogate_inputs(self.parameters, [unit])
        nearest = ((self._places - inputs) ** 2).sum(1).argmin()
        return numpy.exp(self._logs(inputs)[0] + self._jitter[nearest])

    def finals_at(self, units):
        return numpy.exp(self._logs(surrogate_inputs(self.parameters, units))[:, -1])


class CrossingProblem(Problem):
    """Curves that cross: the better a configuration ends, the slower it is.

    A smooth bowl with waves decides the final value; the time constant falls
    with another wave and rises towards the best. Kind: "smooth", "noisy",
    "late" (nothing happens for up to a third of the training), "dip" (a warm-up
    that first gets worse), "scheduled" (the rate falls twice, each with a jump).
    """

    KINDS = ("smooth", "noisy", "late", "dip", "scheduled")

    def __init__(self, kind, number):
        parameters = tuple(Parameter(f"x{i}") for i in range(4))
        super().__init__(f"crossing-{kind}-{number}", parameters, 50)
        seed = int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:8], "big")
        rng = numpy.random.default_rng(seed)
        self._kind = kind
        self._centre = rng.random(4)
        self._waves = [
            (rng.normal(0, 2.0, (40, 4)), rng.random(40) * 2 * math.pi, rng.normal(0, 1, 40) * math.sqrt(2 / 40))
            for _ in range(3)
        ]

    def _wave(self, index, unit):
        frequencies, phases, weights = self._waves[index]
        return float(numpy.cos(frequencies @ unit + phases) @ weights)

    def curve_at(self, unit):
        distance = ((unit - self._centre) ** 2).sum()
        end = (
            0.1
            + 0.25 * (1 - math.exp(-1.5 * distance))
            + 0.02 * (1.5 + math.tanh(self._wave(0, unit)))
        )
        slowness = 0.12 * math.exp(0.5 * self._wave(1, unit) - 2.0 * (end - 0.25))
        time = numpy.arange(1, self.epochs + 1) / self.epochs
        shape = 0.6 * numpy.exp(-time / slowness) + 0.4 / (1 + 4 * time / slowness)
        if self._kind == "late":
            start = 0.3 / (1 + math.exp(-2 * self._wave(2, unit)))
            gone = numpy.maximum(0, time - start)
            shape = numpy.where(
                gone > 0,
                0.6 * numpy.exp(-gone / slowness) + 0.4 / (1 + 4 * gone / slowness),
                1.0,
            )
        if self._kind == "dip":
            shape = shape + 0.5 * numpy.exp(-(((time - 0.06) / 0.05) ** 2))
        if self._kind == "scheduled":
            extra = 0.06 * ((time < 0.5) + 0.5 * (time < 0.8))
            shape = shape + extra * (1 + math.tanh(self._wave(2, unit)))
        values = end + (0.9 - end) * shape
        if self._kind == "noisy":
            values = values + noise_at(unit, self.epochs) * 0.01 * (time < 1)
        return values


class ShortProblem(Problem):
    """Twenty epochs of a curve that decays to what the parameters decide, each
    report with noise, the last one, too.

    Regret and wrong stops are of the value without noise. Kind: how large the
    noise is; the best and the median of random configurations are about 0.3 apart.
    Of the first problem of a kind all curves are parallel, so that one report tells
    the end but for noise; of the second, low rates are slow.
    """

    KINDS = {"smooth": 0.0, "quiet": 0.003, "noisy": 0.01, "loud": 0.03}

    def __init__(self, kind, number):
        parameters = (
            log("rate", 1e-4, 1),
            log("decay", 1e-6, 0.1),
            Parameter("dropout", 0, 0.8),
        )
        super().__init__(f"short-{kind}-{number}", parameters, 20)
        rng = numpy.random.default_rng(number)
        self._centre = 0.25 + 0.5 * rng.random(3)
        self._weights = numpy.array([2.0, 0.7, 0.7]) * (0.7 + 0.6 * rng.random(3))
        self._noise = self.KINDS[kind]
        self._is_parallel = number == 1

    def _end_at(self, unit):
        distance = float(self._weights @ (unit - self._centre) ** 2)
        return 0.1 + 0.8 * (1 - math.exp(-1.2 * distance))

    def end(self, values):
        return self._end_at(self.unit(values))

    def finals_at(self, units):
        return numpy.array([self._end_at(unit) for unit in units])

    def curve_at(self, unit):
        end = self._end_at(unit)
        steps = numpy.arange(1, self.epochs + 1)
        if self._is_parallel:
            values = end + 0.8 * numpy.exp(-steps / 4)
        else:
            values = end + (1 - end) * numpy.exp(-steps / (7 - 5 * float(unit[0])))
        return values + noise_at(unit, self.epochs) * self._noise


class ChanceProblem(Problem):
    """Networks most of which never learn: their error stays where guessing is.

    Whether one learns is decided by its rate, whose useful range moves with the
    momentum, the depth and the scale of the first weights, and has a sharp border
    on either side. Kind: "sharp" (those that learn begin at once), "late" (the
    nearer to the lower border, the longer nothing happens), "collapse" (near the
    upper border a training falls back to guessing and stays there), "noisy" (as
    "late", with ten times the noise). Curves of those that learn fall as powers;
    what learns faster does not end better.
    """

    KINDS = ("sharp", "late", "collapse", "noisy")
    CHANCE = 0.9
    neighbours = 64

    def __init__(self, kind, number):
        parameters = (
            log("rate", 1e-5, 10),
            log("one_minus_momentum", 0.01, 1),
            log("decay", 1e-6, 0.1),
            log("scale", 0.1, 10),
            log("width", 8, 512, True),
            Parameter("layers", 1, 6, is_whole=True),
        )
        super().__init__(f"chance-{kind}-{number}", parameters, 40)
        rng = numpy.random.default_rng(100 + number)
        self._kind = kind
        self._noise = 0.01 if kind == "noisy" else 0.001
        # In units of the rate's range, which is six decades.
        self._middle = 0.45 + 0.2 * rng.random()
        self._reach = 0.13 + 0.08 * rng.random()
        self._moves = numpy.array([0.25, 0.0, -0.15, -0.1, -0.12]) * (
            0.6 + 0.8 * rng.random(5)
        )
        self._best = 0.2 + 0.6 * rng.random(6)
        self._weights = 0.15 + 0.5 * rng.random(6) * numpy.array([1, 1, 1.5, 1, 1, 1])
        self._speed = 0.5 + rng.random()

    def _place(self, unit):
        """Where the rate lies: -1 and 1 are the borders of what learns."""
        middle = self._middle + float(self._moves @ (unit[1:] - 0.5))
        return (float(unit[0]) - middle) / (self._reach * (1.2 - 0.6 * unit[5]))

    def _end_at(self, unit):
        place = self._place(unit)
        if abs(place) >= 1:
            return self.CHANCE
        if self._kind == "collapse" and place > 0.75:
            return self.CHANCE
        distance = float(self._weights[1:] @ (unit[1:] - self._best[1:]) ** 2)
        distance += 0.25 * (place - 0.3) ** 2
        return 0.05 + 0.6 * (1 - math.exp(-1.2 * distance))

    def end(self, values):
        return self._end_at(self.unit(values))

    def finals_at(self, units):
        return numpy.array([self._end_at(unit) for unit in units])

    def curve_at(self, unit):
        place = self._place(unit)
        end = self._end_at(unit)
        time = numpy.arange(1, self.epochs + 1) / self.epochs
        start = 0.0
        if self._kind in ("late", "noisy"):
            start = 0.5 * max(0.0, 0.3 - place) ** 2 / 1.69
        if abs(place) >= 1:
            values = numpy.full(self.epochs, self.CHANCE)
        else:
            learns = 0.3 if end == self.CHANCE else end
            slowness = 0.03 * self._speed * math.exp(1.2 * (unit[4] - place))
            gone = numpy.maximum(0, time - start)
            left = numpy.maximum(
                0, (1 + gone / slowness) ** -1.2 - (1 + (1 - start) / slowness) ** -1.2
            )
            left /= 1 - (1 + (1 - start) / slowness) ** -1.2
            values = learns + (self.CHANCE - learns) * left
            if end == self.CHANCE:
                values = numpy.where(time > 2 * (1 - place), self.CHANCE, values)
        return values + noise_at(unit, self.epochs) * self._noise


class SurrogateProblem(Problem):
    """A table of LCBench; there are some only where lcbench.py finds them."""

    neighbours = 16  # More parameters than the others have, and quick to compute.
    _surrogate = None

    def __init__(self, folder, task, part):
        super().__init__(f"lcbench-{part}-{task}", lcbench.PARAMETERS, lcbench.EPOCHS)
        if SurrogateProblem._surrogate is None:
            SurrogateProblem._surrogate = lcbench.Surrogate(folder)
        self._task = task

    def _values(self, units):
        return numpy.array(
            [[p.value(float(u)) for p, u in zip(self.parameters, unit)] for unit in units]
        )

    def epoch_seconds(self, values):
        row = [[values[p.name] for p in self.parameters]]
        return float(self._surrogate.seconds(self._task, row)[0]) / self.epochs

    def curve_at(self, unit):
        return self._surrogate.errors(
            self._task, self._values([unit]), range(1, self.epochs + 1)
        )[0]

    def finals_at(self, units):
        return self._surrogate.errors(self._task, self._values(units), [self.epochs])[:, 0]


def lcbench_problems():
    folder = lcbench.folder()
    if folder is None:
        return []
    return [
        SurrogateProblem(folder, task, "tuning" if i < lcbench.TUNING else "reporting")
        for i, task in enumerate(lcbench.tasks(folder))
    ]


def all_problems():
    crossing = [
        CrossingProblem(kind, number)
        for kind in CrossingProblem.KINDS
        for number in (1, 2)
    ]
    recorded = [RecordedProblem(name) for name in RECORDED]
    networks = [NetworkProblem(name) for name in TORCH_NETWORKS]
    short = [
        ShortProblem(kind, number) for kind in ShortProblem.KINDS for number in (1, 2)
    ]
    chance = [
        ChanceProblem(kind, number)
        for kind in ChanceProblem.KINDS
        for number in (1, 2, 3)
    ]
    return recorded + networks + crossing + short + chance + lcbench_problems()


def chosen(patterns):
    return [
        p
        for p in all_problems()
        if not patterns or any(pattern in p.name for pattern in patterns.split(","))
    ]


__all__ = ["all_problems", "chosen", "log"]
