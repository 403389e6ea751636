"""The 24 noiseless functions of BBOB, instance 1, with optimum value 0.

After N. Hansen, S. Finck, R. Ros, A. Auger, "Real-Parameter Black-Box
Optimization Benchmarking 2009: Noiseless Functions Definitions" (INRIA
RR-6829). Shifts and rotations come from the generator of the original, so that
a value here equals COCO's less its f_opt.
"""

import functools
import math

import numpy as np
import parameter_space
from problems.problem import DATA_FLOOR, Function, Noisy, stable_seed

INSTANCE = 1
DIMENSIONS = (2, 5, 10, 20)
LEVELS = (5, 10, 20)
NOISE_SHARES = (0.01, 0.10)
# Coordinates and levels of each; and the noise, of the interquartile range.
GRIDS = ((2, 24), (4, 8))
GRID_NOISE = 0.20


# The generator of the original (Park and Miller, with a shuffle).

def _next_state(state):
    quotient = state // 127773
    state = 16807 * (state - quotient * 127773) - 2836 * quotient
    return state + 2147483647 if state < 0 else state


def uniform(count, seed):
    state = max(1, abs(int(seed)))
    shuffle = [0] * 32
    for i in range(39, -1, -1):
        state = _next_state(state)
        if i < 32:
            shuffle[i] = state
    drawn = shuffle[0]
    values = np.empty(count)
    for i in range(count):
        state = _next_state(state)
        slot = drawn // 67108865
        drawn = shuffle[slot]
        shuffle[slot] = state
        values[i] = drawn / 2.147483647e9
    values[values == 0] = 1e-99
    return values


def gaussian(count, seed):
    u = uniform(2 * count, seed)
    values = np.sqrt(-2 * np.log(u[:count])) * np.cos(2 * np.pi * u[count:])
    values[values == 0] = 1e-99
    return values


def rotation(d, seed):
    """A random orthogonal matrix: Gram-Schmidt on Gaussian columns."""
    matrix = gaussian(d * d, seed).reshape(d, d).T.copy()
    for i in range(d):
        for j in range(i):
            matrix[:, i] -= (matrix[:, i] @ matrix[:, j]) * matrix[:, j]
        matrix[:, i] /= np.linalg.norm(matrix[:, i])
    return matrix


def optimum_location(d, seed):
    x = 8 * np.floor(1e4 * uniform(d, seed)) / 1e4 - 4
    x[x == 0] = -1e-5
    return x


# The transformations that the definitions are written in.

def oscillate(x):
    """T_osz."""
    x = np.atleast_1d(np.asarray(x, dtype=float))
    result = np.zeros_like(x)
    nonzero = x != 0
    v = x[nonzero]
    log = np.log(np.abs(v))
    c1 = np.where(v > 0, 10.0, 5.5)
    c2 = np.where(v > 0, 7.9, 3.1)
    result[nonzero] = np.sign(v) * np.exp(
        log + 0.049 * (np.sin(c1 * log) + np.sin(c2 * log)))
    return result


def ramp(d):
    """0 to 1 over the coordinates."""
    return np.arange(d) / max(1, d - 1)


def skew(x, beta):
    """T_asy."""
    positive = np.maximum(x, 0)
    return np.where(x > 0, positive ** (1 + beta * ramp(len(x)) *
                                        np.sqrt(positive)), x)


def stretch(d, alpha):
    """The diagonal of Lambda^alpha."""
    return alpha ** (0.5 * ramp(d))


def penalty(x, bound=5.0):
    return float(np.sum(np.maximum(0, np.abs(x) - bound) ** 2))


class Instance:
    """One function of BBOB in d dimensions: `location`, and a call."""

    def __init__(self, number, d):
        # The original draws the second of each of these pairs like the first.
        seed = {4: 3, 18: 17}.get(number, number) + 10000 * INSTANCE
        self.d = d
        self.location = optimum_location(d, seed)
        self.seed = seed
        self.q = rotation(d, seed)
        self.r = rotation(d, seed + 1000000)
        self.ramp = ramp(d)
        self._evaluate = _FUNCTIONS[number](self)

    def __call__(self, x):
        return float(self._evaluate(np.asarray(x, dtype=float)))


def _sphere(p):
    return lambda x: np.sum((x - p.location) ** 2)


def _ellipsoid(p):
    weights = 1e6 ** p.ramp
    return lambda x: weights @ oscillate(x - p.location) ** 2


def _rastrigin_sum(z):
    return 10 * (len(z) - np.sum(np.cos(2 * np.pi * z))) + z @ z


def _rastrigin(p):
    scale = stretch(p.d, 10)
    return lambda x: _rastrigin_sum(
        scale * skew(oscillate(x - p.location), 0.2))


def _bueche_rastrigin(p):
    even = np.arange(p.d) % 2 == 0
    p.location[even] = np.abs(p.location[even])
    scale = stretch(p.d, 10)

    def evaluate(x):
        z = oscillate(x - p.location)
        z = np.where((z > 0) & even, 10 * scale, scale) * z
        return _rastrigin_sum(z) + 100 * penalty(x)
    return evaluate


def _linear_slope(p):
    p.location = 5 * np.sign(p.location)
    slope = np.sign(p.location) * 10 ** p.ramp

    def evaluate(x):
        z = np.where(x * p.location < 25, x, p.location)
        return np.sum(5 * np.abs(slope)) - slope @ z
    return evaluate


def _attractive_sector(p):
    matrix = p.r @ np.diag(stretch(p.d, 10)) @ p.q

    def evaluate(x):
        z = matrix @ (x - p.location)
        z = np.where(z * p.location > 0, 100 * z, z)
        return oscillate(z @ z)[0] ** 0.9
    return evaluate


def _step_ellipsoid(p):
    matrix = np.diag(stretch(p.d, 10)) @ p.q
    weights = 100 ** p.ramp

    def evaluate(x):
        flat = matrix @ (x - p.location)
        steps = np.where(np.abs(flat) > 0.5, np.floor(0.5 + flat),
                         np.floor(0.5 + 10 * flat) / 10)
        z = p.r @ steps
        return (0.1 * max(abs(flat[0]) / 1e4, weights @ z ** 2) + penalty(x))
    return evaluate


def _rosenbrock_sum(z):
    return np.sum(100 * (z[:-1] ** 2 - z[1:]) ** 2 + (z[:-1] - 1) ** 2)


def _rosenbrock(p):
    p.location = 0.75 * p.location
    factor = max(1.0, math.sqrt(p.d) / 8)
    return lambda x: _rosenbrock_sum(factor * (x - p.location) + 1)


def _rotated_rosenbrock(p):
    factor = max(1.0, math.sqrt(p.d) / 8)
    # This function and number 19 use the first rotation, unlike the others.
    p.location = p.q.T @ np.full(p.d, 0.5) / factor
    return lambda x: _rosenbrock_sum(factor * (p.q @ x) + 0.5)


def _rotated_ellipsoid(p):
    weights = 1e6 ** p.ramp
    return lambda x: weights @ oscillate(p.r @ (x - p.location)) ** 2


def _discus(p):
    def evaluate(x):
        z = oscillate(p.r @ (x - p.location))
        return 1e6 * z[0] ** 2 + z[1:] @ z[1:]
    return evaluate


def _bent_cigar(p):
    p.location = optimum_location(p.d, p.seed + 1000000)

    def evaluate(x):
        z = p.r @ skew(p.r @ (x - p.location), 0.5)
        return z[0] ** 2 + 1e6 * (z[1:] @ z[1:])
    return evaluate


def _sharp_ridge(p):
    matrix = p.r @ np.diag(stretch(p.d, 10)) @ p.q

    def evaluate(x):
        z = matrix @ (x - p.location)
        return z[0] ** 2 + 100 * math.sqrt(z[1:] @ z[1:])
    return evaluate


def _different_powers(p):
    exponents = 2 + 4 * p.ramp
    return lambda x: math.sqrt(
        np.sum(np.abs(p.r @ (x - p.location)) ** exponents))


def _rotated_rastrigin(p):
    matrix = p.r @ np.diag(stretch(p.d, 10)) @ p.q
    return lambda x: _rastrigin_sum(
        matrix @ skew(oscillate(p.r @ (x - p.location)), 0.2))


def _weierstrass(p):
    matrix = p.r @ np.diag(stretch(p.d, 0.01)) @ p.q
    k = np.arange(12)
    amplitude, frequency = 0.5 ** k, 2 * np.pi * 3.0 ** k
    at_zero = amplitude @ np.cos(frequency * 0.5)

    def evaluate(x):
        z = matrix @ oscillate(p.r @ (x - p.location))
        total = np.sum(np.cos(np.outer(z + 0.5, frequency)) @ amplitude)
        return 10 * (total / p.d - at_zero) ** 3 + 10 / p.d * penalty(x)
    return evaluate


def _schaffers(conditioning):
    def make(p):
        matrix = np.diag(stretch(p.d, conditioning)) @ p.q

        def evaluate(x):
            z = matrix @ skew(p.r @ (x - p.location), 0.5)
            s = z[:-1] ** 2 + z[1:] ** 2
            mean = np.mean(s ** 0.25 * (1 + np.sin(50 * s ** 0.1) ** 2))
            return mean ** 2 + 10 * penalty(x)
        return evaluate
    return make


def _griewank_rosenbrock(p):
    factor = max(1.0, math.sqrt(p.d) / 8)
    p.location = p.q.T @ np.full(p.d, 0.5) / factor

    def evaluate(x):
        z = factor * (p.q @ x) + 0.5
        s = 100 * (z[:-1] ** 2 - z[1:]) ** 2 + (z[:-1] - 1) ** 2
        return 10 + 10 * np.mean(s / 4000 - np.cos(s))
    return evaluate


def _schwefel(p):
    sign = np.where(uniform(p.d, p.seed) < 0.5, -1.0, 1.0)
    p.location = sign * 4.2096874633 / 2
    twice = 2 * np.abs(p.location)
    scale = stretch(p.d, 10)

    def evaluate(x):
        flat = 2 * sign * x
        z = flat.copy()
        z[1:] += 0.25 * (flat[:-1] - twice[:-1])
        z = 100 * (scale * (z - twice) + twice)
        return (0.01 * (418.9828872724339
                        - np.mean(z * np.sin(np.sqrt(np.abs(z)))))
                + 100 * penalty(z / 100))
    return evaluate


def _gallagher(peaks, span, conditioning):
    """Peaks of random place, height and shape; the first is the optimum."""
    def make(p):
        order = np.argsort(uniform(peaks - 1, p.seed))
        conditions = np.concatenate(
            [[conditioning], 1000.0 ** (order / (peaks - 2))])
        heights = np.concatenate(
            [[10.0], 1.1 + 8 * np.arange(peaks - 1) / (peaks - 2)])
        shapes = np.empty((peaks, p.d))
        for i in range(peaks):
            order = np.argsort(uniform(p.d, p.seed + 1000 * i))
            shapes[i] = conditions[i] ** (order / (p.d - 1) - 0.5)
        places = span * uniform(p.d * peaks, p.seed).reshape(peaks, p.d) - span / 2
        places[0] *= 0.8
        p.location = places[0].copy()
        rotated = places @ p.q.T

        def evaluate(x):
            distance = np.sum(shapes * (p.q @ x - rotated) ** 2, axis=1)
            best = np.max(heights * np.exp(-distance / (2 * p.d)))
            return oscillate(10 - best)[0] ** 2 + penalty(x)
        return evaluate
    return make


def _katsuura(p):
    matrix = p.r @ np.diag(stretch(p.d, 100)) @ p.q
    powers = 2.0 ** np.arange(1, 33)

    def evaluate(x):
        z = np.outer(matrix @ (x - p.location), powers)
        rough = np.sum(np.abs(z - np.rint(z)) / powers, axis=1)
        product = np.prod(1 + np.arange(1, p.d + 1) * rough)
        return (10 / p.d ** 2 * (product ** (10 / p.d ** 1.2) - 1) + penalty(x))
    return evaluate


def _lunacek(p):
    mu = 2.5
    sign = np.where(gaussian(p.d, p.seed) < 0, -1.0, 1.0)
    p.location = sign * mu / 2
    s = 1 - 1 / (2 * math.sqrt(p.d + 20) - 8.2)
    other_mu = -math.sqrt((mu ** 2 - 1) / s)
    matrix = p.r @ np.diag(stretch(p.d, 100)) @ p.q

    def evaluate(x):
        flat = 2 * sign * x
        z = matrix @ (flat - mu)
        bowl = min(np.sum((flat - mu) ** 2),
                   p.d + s * np.sum((flat - other_mu) ** 2))
        return (bowl + 10 * (p.d - np.sum(np.cos(2 * np.pi * z)))
                + 1e4 * penalty(x))
    return evaluate


_FUNCTIONS = {
    1: _sphere, 2: _ellipsoid, 3: _rastrigin, 4: _bueche_rastrigin,
    5: _linear_slope, 6: _attractive_sector, 7: _step_ellipsoid,
    8: _rosenbrock, 9: _rotated_rosenbrock, 10: _rotated_ellipsoid,
    11: _discus, 12: _bent_cigar, 13: _sharp_ridge, 14: _different_powers,
    15: _rotated_rastrigin, 16: _weierstrass, 17: _schaffers(10),
    18: _schaffers(1000), 19: _griewank_rosenbrock, 20: _schwefel,
    21: _gallagher(101, 10.0, 1000 ** 0.5), 22: _gallagher(21, 9.8, 1000.0),
    23: _katsuura, 24: _lunacek,
}


# Problems.

@functools.lru_cache(maxsize=None)
def instance(number, d):
    return Instance(number, d)


def _name(number, d, variant=""):
    return f"bbob-f{number:02d}-d{d}{variant}"


def continuous(number, d):
    parameters = [parameter_space.double(f"x{i}", -5, 5) for i in range(d)]
    return Function(_name(number, d), "bbob", parameters,
                    lambda point: instance(number, d)(
                        [point[f"x{i}"] for i in range(d)]),
                    group=f"bbob-f{number:02d}")


def _levels_of(i):
    """How many levels the i-th coordinate has; 0 where it is continuous."""
    return 0 if i % 2 == 0 else LEVELS[i // 2 % len(LEVELS)]


def _grid(x_optimum, levels):
    """Equally spaced over [-5, 5], moved so that the optimum is on it."""
    grid = np.linspace(-5, 5, levels)
    nearest = np.argmin(np.abs(grid - x_optimum))
    return grid + (x_optimum - grid[nearest])


def _with_levels(number, d, variant, family, make_parameter, level_of,
                 levels_of=_levels_of):
    grids = {i: _grid(instance(number, d).location[i], levels_of(i))
             for i in range(d) if levels_of(i)}
    parameters = [make_parameter(i, levels_of(i)) if i in grids
                  else parameter_space.double(f"x{i}", -5, 5)
                  for i in range(d)]

    def evaluate(point):
        x = [grids[i][level_of(i, point[f"x{i}"])] if i in grids
             else point[f"x{i}"] for i in range(d)]
        return instance(number, d)(x)
    return Function(_name(number, d, variant), family, parameters, evaluate,
                    group=f"bbob-f{number:02d}")


def discretised(number, d):
    """Every second coordinate takes 5, 10 or 20 values; in turn a DISCRETE
    parameter and an INTEGER one.
    """
    def make_parameter(i, levels):
        if i // 2 % 2 == 0:
            return parameter_space.discrete(f"x{i}", map(float, range(levels)))
        return parameter_space.integer(f"x{i}", 0, levels - 1)
    return _with_levels(number, d, "-discrete", "bbob-discrete",
                        make_parameter, lambda i, value: int(value))


def permuted(number, d):
    """The same levels as categories in an order that says nothing."""
    rng = np.random.default_rng(stable_seed("permuted", number, d))
    orders = [rng.permutation(_levels_of(i)) for i in range(d)]

    def make_parameter(i, levels):
        return parameter_space.categorical(
            f"x{i}", [f"v{k}" for k in range(levels)])
    return _with_levels(number, d, "-categorical", "bbob-categorical",
                        make_parameter,
                        lambda i, value: orders[i][int(value[1:])])


def noisy_grid(number, d, levels):
    """Ordered levels only, few enough to list, and as much noise as trainings
    on small data have.
    """
    def make_parameter(i, levels):
        return parameter_space.discrete(f"x{i}", map(float, range(levels)))
    base = _with_levels(number, d, "-grid", "bbob-grid", make_parameter,
                        lambda i, value: int(value), lambda i: levels)
    return Noisy(base, "bbob-grid", GRID_NOISE)


def problems():
    found = []
    for number in range(1, 25):
        found += [noisy_grid(number, d, levels) for d, levels in GRIDS]
        for d in DIMENSIONS:
            base = continuous(number, d)
            found += [base, discretised(number, d), permuted(number, d)]
            found += [Noisy(base, "bbob-noisy", share)
                      for share in NOISE_SHARES]
    for problem in found:
        if problem.family == "bbob-categorical":
            problem.floor = max(problem.floor, DATA_FLOOR / 10)
    return found
