#!/usr/bin/env python3
"""Several objectives: how much of the front's hypervolume each optimiser finds.

    bench/duel/front.py --binary build/release/vernier --seeds 10 --trials 100

Plays `vernier suggest` and, where they are installed, Optuna's samplers, on
problems whose fronts are known: convex bowls whose fronts follow from weighted
sums, and small networks' accuracy against latency, whose fronts follow from a
fine grid. The measure is the logarithm (base 10) of the part of the front's
hypervolume that is missing after the trials, above one reference point for all,
which no player is told. Smaller is better; a difference of 0.3 is a factor of
two. Deterministic but for what the players do by themselves.
"""

import argparse
import itertools
import math
import statistics
import sys

import numpy

import optimizers
import parameter_space
from process import OptimizerProcess

ANSWER_SECONDS = 600

# --- Hypervolume, of values that are minimised -------------------------------


def hypervolume(rows, reference):
    """The volume that the rows dominate below the reference."""
    rows = numpy.asarray(rows, dtype=float).reshape(-1, len(reference))
    rows = rows[(rows < reference).all(axis=1)]
    if not len(rows):
        return 0.0
    if len(reference) == 1:
        return float(reference[0] - rows.min())
    order = rows[numpy.argsort(rows[:, -1], kind="stable")]
    heights = numpy.diff(numpy.append(order[:, -1], reference[-1]))
    if len(reference) == 2:
        reach = reference[0] - numpy.minimum.accumulate(order[:, 0])
        return float((heights * reach).sum())
    return sum(height * hypervolume(order[:i + 1, :-1], reference[:-1])
               for i, height in enumerate(heights) if height > 0)


# --- Problems ----------------------------------------------------------------


class Bowls:
    """Quadratic bowls of different shapes, one a metric."""

    def __init__(self, columns, metrics, seed):
        rng = numpy.random.default_rng(seed)
        self.name = f"bowls-{columns}d-{metrics}m"
        self.space = tuple(parameter_space.double(f"x{i}", 0.0, 1.0)
                           for i in range(columns))
        self.centres = rng.uniform(0.15, 0.85, (metrics, columns))
        self.scales = 10 ** rng.uniform(-0.5, 0.5, (metrics, columns))
        self.reference = numpy.full(metrics, 0.9)
        self._stretch = numpy.ones(metrics)
        front = self._front(metrics)
        self._stretch = 1 / front.max(axis=0)
        self.volume = hypervolume(front * self._stretch, self.reference)

    def _raw(self, x):
        return ((self.scales * (x - self.centres)) ** 2).sum(axis=1)

    def _front(self, metrics):
        count = 400 if metrics == 2 else 40
        rows = []
        for parts in itertools.product(range(count + 1), repeat=metrics - 1):
            weights = numpy.array([*parts, count - sum(parts)]) / count
            if weights[-1] < 0:
                continue
            pull = weights[:, None] * self.scales ** 2 + 1e-12
            x = (pull * self.centres).sum(axis=0) / pull.sum(axis=0)
            rows.append(self._raw(x))
        return numpy.array(rows)

    def __call__(self, parameters):
        x = numpy.array([parameters[each.name] for each in self.space])
        return self._raw(x) * self._stretch


class Networks:
    """The error of a small network against its latency, and its memory."""

    # What each kind of cell takes off the error, and costs in latency.
    CELLS = {"relu": (0.0, 1.0), "gelu": (0.05, 1.15), "glu": (0.09, 1.5)}

    def __init__(self, metrics):
        self.name = f"networks-{metrics}m"
        self.metrics = metrics
        self.space = (
            parameter_space.double("lr", 1e-5, 1.0, log=True),
            parameter_space.integer("width", 8, 1024, log=True),
            parameter_space.integer("depth", 1, 12),
            parameter_space.double("dropout", 0.0, 0.6),
            parameter_space.categorical("cell", self.CELLS))
        self.reference = numpy.array([0.6, 6.0, 7.0][:metrics])
        rows = []
        for cell in self.CELLS:
            for depth in range(1, 13):
                for width in sorted({round(8 * 2 ** (k / 20)) for k in range(141)}):
                    rows.append(self({"lr": self._rate(width, depth), "width": width,
                                      "depth": depth, "cell": cell,
                                      "dropout": self._dropout(width, depth)}))
        self.volume = hypervolume(rows, self.reference)

    @staticmethod
    def _rate(width, depth):
        return 10 ** (-1.2 - 0.45 * math.log10(width / 8) - 0.05 * depth)

    @staticmethod
    def _dropout(width, depth):
        size = depth ** 0.7 * width
        return 0.5 * size / (size + 900)

    def __call__(self, parameters):
        width, depth = parameters["width"], parameters["depth"]
        gain, cost = self.CELLS[parameters["cell"]]
        size = depth ** 0.7 * width
        off = math.log10(parameters["lr"] / self._rate(width, depth))
        excess = parameters["dropout"] - self._dropout(width, depth)
        error = (0.08 + 1.1 / (1 + size / 25) ** 0.6 - gain
                 + 0.09 * off ** 2 + 0.8 * excess ** 2)
        latency = math.log2(1 + cost * depth * (width / 64) ** 1.3)
        memory = math.log2(1 + depth * (width / 48) ** 2)
        return numpy.array([error, latency, memory][:self.metrics])


# --- Players -----------------------------------------------------------------


class Vernier:
    """`vernier suggest`, one trial at a time."""

    def __init__(self, binary, algorithm=None):
        self.name = "vernier" if algorithm is None else algorithm.lower()
        self._engine = optimizers.Optimizer(self.name, (binary, "suggest"))
        self._algorithm = algorithm

    def play(self, problem, trials, seed):
        names = [f"f{k}" for k in range(len(problem.reference))]
        rows = []
        with OptimizerProcess(self._engine, ANSWER_SECONDS) as process:
            process.create(problem.space, seed, trials, 1, self._algorithm, names)
            for _ in range(trials):
                [(number, point)], *_ = process.ask(1)
                rows.append(problem(point))
                process.tell(number, dict(zip(names, rows[-1].tolist())))
        return rows


class Optuna:
    """A sampler of Optuna."""

    def __init__(self, optuna, name, sampler):
        self.name = name
        self._optuna = optuna
        self._sampler = sampler

    def play(self, problem, trials, seed):
        study = self._optuna.create_study(
            directions=["minimize"] * len(problem.reference), sampler=self._sampler(seed))
        rows = []

        def objective(trial):
            parameters = {}
            for each in problem.space:
                if each.kind == parameter_space.CATEGORICAL:
                    value = trial.suggest_categorical(each.name, each.values)
                elif each.kind == parameter_space.INTEGER:
                    value = trial.suggest_int(each.name, each.low, each.high, log=each.log)
                else:
                    value = trial.suggest_float(each.name, each.low, each.high, log=each.log)
                parameters[each.name] = value
            rows.append(problem(parameters))
            return tuple(rows[-1].tolist())

        study.optimize(objective, n_trials=trials)
        return rows


def players(binary):
    found = [Vernier(binary), Vernier(binary, "QUASI_RANDOM_SEARCH")]
    try:
        import optuna
    except ImportError:
        print("optuna is not installed: its samplers do not play", file=sys.stderr)
        return found
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    print(f"optuna {optuna.__version__}", file=sys.stderr)
    samplers = optuna.samplers
    found.append(Optuna(optuna, "optuna-tpe", lambda seed: samplers.TPESampler(seed=seed)))
    found.append(Optuna(optuna, "optuna-nsga2",
                        lambda seed: samplers.NSGAIISampler(seed=seed)))
    try:
        import torch  # noqa: F401  Optuna's Gaussian process wants it.
    except ImportError:
        print("torch is not installed: optuna-gp does not play", file=sys.stderr)
        return found
    found.append(Optuna(optuna, "optuna-gp",
                        lambda seed: samplers.GPSampler(seed=seed)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="build/release/vernier")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--players", help="only these, with commas between them")
    parser.add_argument("--problems", help="only those whose names begin so")
    arguments = parser.parse_args()
    import warnings
    warnings.simplefilter("ignore")
    problems = [Bowls(4, 2, 1), Bowls(8, 2, 2), Bowls(5, 3, 3), Networks(2), Networks(3)]
    everyone = players(arguments.binary)
    if arguments.players:
        everyone = [each for each in everyone if each.name in arguments.players.split(",")]
    print("| problem | " + " | ".join(each.name for each in everyone) + " |")
    print("|---|" + "---|" * len(everyone))
    for problem in problems:
        if arguments.problems and not problem.name.startswith(arguments.problems):
            continue
        cells = []
        for player in everyone:
            regrets = []
            for seed in range(1, arguments.seeds + 1):
                rows = player.play(problem, arguments.trials, seed)
                missing = 1 - hypervolume(rows, problem.reference) / problem.volume
                regrets.append(math.log10(max(missing, 1e-6)))
            error = (statistics.stdev(regrets) / math.sqrt(len(regrets))
                     if len(regrets) > 1 else 0)
            cells.append(f"{statistics.mean(regrets):.2f} ± {error:.2f}")
        print(f"| {problem.name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
