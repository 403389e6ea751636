"""What every problem of the duel is: a space, a noise-free value, a noise."""

import functools
import hashlib
import math
import os

import numpy as np
import parameter_space

TUNING = "tuning"
REPORTING = "reporting"
# Chosen once, before anything was measured, because with it each family has
# about a third of its problems in the tuning part.
PART_SALT = "part-38"

# Regrets below the floor count as the floor: past it a difference says more
# about rounding, or about luck on a table, than about the optimizer.
FUNCTION_FLOOR = 1e-6
DATA_FLOOR = 1e-3

# Half of all runs of 50 random points see a better value than this quantile.
RANDOM_50_QUANTILE = 1 - 0.5 ** (1 / 50)


def cache_folder():
    """Where values that are slow to compute are kept between runs."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.dirname(os.path.abspath(__file__)))))
    folder = os.environ.get("DUEL_CACHE", os.path.join(root, "build/duel/cache"))
    os.makedirs(folder, exist_ok=True)
    return folder


def stable_seed(*words):
    """The same 63 bits for the same words, on every machine."""
    text = "/".join(str(word) for word in words)
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def part_of(group):
    """TUNING for about one third of the groups, REPORTING for the others.

    Depends on the group's name alone, so that a new problem moves no old one,
    and all variants of a function, being one group, fall on the same side.
    """
    return TUNING if stable_seed(PART_SALT, group) % 3 == 0 else REPORTING


class Problem:
    """A function to minimise over `parameters`.

    `evaluate` is free of noise. `optimum` is its least value, or None where
    nobody knows it. `group` names what must stay on one side of the split.
    """

    random_sample_size = 2000

    def __init__(self, name, family, parameters, *, group=None, optimum=0.0,
                 floor=FUNCTION_FLOOR):
        self.name = name
        self.family = family
        self.parameters = tuple(parameters)
        self.group = group or name
        self.optimum = optimum
        self.floor = floor

    @property
    def part(self):
        return part_of(self.group)

    def evaluate(self, point):
        raise NotImplementedError

    def log_regret(self, best):
        """The decades of the regret of `best`, at least those of the floor."""
        span = self.random_50 - self.optimum
        return math.log10(max(self.floor, (best - self.optimum) / span))

    def observe(self, point, seed, index):
        """What the optimizer is told for the index-th trial of a run. All
        optimizers meet the same noise: it depends on no optimizer.
        """
        del seed, index
        return self.evaluate(point)

    @functools.cached_property
    def random_sample(self):
        """Noise-free values of random points, sorted; the same on each call."""
        rng = np.random.default_rng(stable_seed("random-sample", self.name))
        values = [self.evaluate(random_point(self.parameters, rng))
                  for _ in range(self.random_sample_size)]
        return np.sort(values)

    @property
    def random_50(self):
        """The value that the best of 50 random points reaches half the time."""
        return float(np.quantile(self.random_sample, RANDOM_50_QUANTILE))

    @property
    def random_1(self):
        return float(np.median(self.random_sample))


class Function(Problem):
    """A problem made of a callable on points."""

    def __init__(self, name, family, parameters, function, **options):
        super().__init__(name, family, parameters, **options)
        self._function = function

    def evaluate(self, point):
        return float(self._function(point))


class Noisy(Problem):
    """`base` with Gaussian noise of `share` of its interquartile range."""

    def __init__(self, base, family, share):
        super().__init__(f"{base.name}-noise{round(share * 100)}", family,
                         base.parameters, group=base.group,
                         optimum=base.optimum, floor=DATA_FLOOR)
        self._base = base
        self._share = share

    def evaluate(self, point):
        return self._base.evaluate(point)

    @functools.cached_property
    def noise_deviation(self):
        low, high = np.quantile(self._base.random_sample, [0.25, 0.75])
        return self._share * float(high - low)

    @property
    def random_sample(self):
        return self._base.random_sample

    def observe(self, point, seed, index):
        rng = np.random.default_rng(stable_seed("noise", self.name, seed, index))
        return self.evaluate(point) + self.noise_deviation * rng.normal()


def random_point(parameters, rng):
    return parameter_space.build_point(
        parameters,
        lambda parameter: parameter_space.from_unit(parameter, rng.random()))


def regret(problem_optimum, random_50, random_1, value):
    """`value` as a share of the way from the optimum to what 50 random points
    reach. Never negative. Where 50 random points reach the optimum itself, one
    random point takes their place.
    """
    scale = random_50 - problem_optimum
    if scale <= 0:
        scale = random_1 - problem_optimum
    if not math.isfinite(value) or scale <= 0:
        return math.inf if not math.isfinite(value) else 0.0
    return max(0.0, (value - problem_optimum) / scale)
