"""Problems of several metrics, and of one metric under constraints.

All are minimised. A problem has a space, and `limits`: the most that
each of its constrained values may come to. Called with a point it returns its
metrics followed by its constrained values, as one array.

Fronts and best values are found once, by an analytic form where there is one and
by a long evolution of a dense sample elsewhere, so that every player is measured
against the same volume. A player who finds more than that volume scores as if it
were missing a millionth.
"""

import bisect
import itertools
import math

import numpy
import scipy.optimize

import parameter_space

SMALLEST_LOSS = 1e-6

# --- Hypervolume -------------------------------------------------------------


class Staircase:
    """Undominated pairs in the order of the first, and the area that they dominate
    below a reference.
    """

    def __init__(self, reference):
        self._reference = reference
        self._firsts, self._seconds = [], []
        self.area = 0.0

    def add(self, first, second):
        """Whether the pair is not dominated, nor there already."""
        place = bisect.bisect_right(self._firsts, first)
        if place and self._seconds[place - 1] <= second:
            return False
        begin = place - (place > 0 and self._firsts[place - 1] == first)
        end = begin
        while end < len(self._seconds) and self._seconds[end] >= second:
            end += 1
        # From the left, each step's height falls to the new pair's.
        height = self._seconds[begin - 1] if begin else self._reference[1]
        left = first
        for i in range(begin, end):
            self.area += (self._firsts[i] - left) * (height - second)
            left, height = self._firsts[i], self._seconds[i]
        right = self._firsts[end] if end < len(self._firsts) else self._reference[0]
        self.area += (right - left) * (height - second)
        self._firsts[begin:end] = [first]
        self._seconds[begin:end] = [second]
        return True


def hypervolume(rows, reference):
    """The volume that the rows dominate below the reference, of 1 to 3 metrics."""
    rows = numpy.asarray(rows, dtype=float).reshape(-1, len(reference))
    rows = rows[(rows < reference).all(axis=1)]
    if not len(rows):
        return 0.0
    if len(reference) == 1:
        return float(reference[0] - rows.min())
    if len(reference) == 2:
        rows = numpy.column_stack([rows, numpy.zeros(len(rows))])
    stairs = Staircase(reference)
    volume, last = 0.0, 0.0
    for first, second, third in rows[numpy.argsort(rows[:, 2], kind="stable")].tolist():
        volume += stairs.area * (third - last)
        last = third
        stairs.add(first, second)
    top = reference[2] if len(reference) == 3 else 1.0
    return float(volume + stairs.area * (top - last))


def undominated(rows):
    """Those rows that no other row beats in all columns, in the order of the first."""
    rows = numpy.unique(rows, axis=0)
    if rows.shape[1] == 2:
        least = numpy.minimum.accumulate(rows[:, 1])
        return rows[numpy.append(True, rows[1:, 1] < least[:-1])]
    stairs = Staircase((math.inf, math.inf))
    return rows[[stairs.add(second, third) for _, second, third in rows.tolist()]]


# --- What is common to problems ----------------------------------------------


class Problem:
    """`metrics` values that are minimised, and `limits` of those after them."""

    limits = ()

    def columns(self, points):
        """An array of values for an array of points in the unit cube."""
        raise NotImplementedError

    def unit(self, point):
        """The point's place in the unit cube; a category's is its index."""
        return numpy.array([_to_unit(each, point[each.name]) for each in self.space])

    def __call__(self, point):
        return self.columns(self.unit(point)[None, :])[0]

    def feasible(self, rows):
        rows = numpy.asarray(rows)
        if not self.limits:
            return numpy.ones(len(rows), dtype=bool)
        return (rows[:, self.metrics:] <= self.limits).all(axis=1)


class FrontProblem(Problem):
    """The loss is the part of the front's hypervolume that is missing."""

    def loss(self, rows):
        rows = numpy.array(rows)
        found = hypervolume(rows[self.feasible(rows)][:, :self.metrics], self.reference)
        return max(1 - found / self.volume, SMALLEST_LOSS)


class ConstrainedProblem(Problem):
    """The loss is the distance to the best value that meets the limits, as a part
    of a random feasible point's median distance; 1 while nothing is feasible.
    """

    metrics = 1

    def measure(self, seed):
        rng = numpy.random.default_rng(seed)
        rows = self.columns(rng.random((100_000, len(self.space))))
        feasible = rows[self.feasible(rows)]
        self.share = len(feasible) / len(rows)
        self.best = evolved_best(self, rng)
        self.typical = float(numpy.median(feasible[:, 0])) - self.best

    def loss(self, rows):
        rows = numpy.array(rows)
        values = rows[self.feasible(rows)][:, 0]
        if not len(values):
            return 1.0
        return min(max((values.min() - self.best) / self.typical, SMALLEST_LOSS), 1.0)


def _cube(columns):
    return tuple(parameter_space.double(f"x{i}", 0.0, 1.0) for i in range(columns))


def _to_unit(parameter, value):
    if parameter.kind == parameter_space.CATEGORICAL:
        return (parameter.values.index(value) + 0.5) / len(parameter.values)
    low, high = parameter_space.bounds(parameter)
    if parameter.log:
        return math.log(value / low) / math.log(high / low)
    return (value - low) / (high - low)


def _from_unit(parameter, u):
    """The values at `u`, as arrays; a category's is its index."""
    if parameter.kind == parameter_space.CATEGORICAL:
        return numpy.minimum((u * len(parameter.values)).astype(int),
                             len(parameter.values) - 1)
    low, high = parameter_space.bounds(parameter)
    value = low * (high / low) ** u if parameter.log else low + u * (high - low)
    if parameter.kind == parameter_space.INTEGER:
        value = numpy.rint(value)
    return numpy.clip(value, parameter.low, parameter.high)


def _decoded(space, points):
    """The values of each parameter of points in the unit cube."""
    return [_from_unit(each, points[:, i]) for i, each in enumerate(space)]


# --- Finding what is best ----------------------------------------------------


def evolved_front(problem, seed):
    """The undominated rows of a search by many weighted distances at once, each of
    which takes the best of all children (MOEA/D; Zhang and Li 2007).
    """
    rng = numpy.random.default_rng(seed)
    columns = len(problem.space)
    weights = _weights(problem.metrics)
    points = rng.random((40 * len(weights), columns))
    ideal = numpy.full(problem.metrics, math.inf)
    kept = numpy.empty((0, problem.metrics))
    seen = []
    rounds = 300
    for turn in range(rounds):
        rows = problem.columns(points)
        met = problem.feasible(rows)
        points, rows = points[met], rows[met][:, :problem.metrics]
        ideal = numpy.minimum(ideal, rows.min(axis=0))
        distance = (rows - ideal) / (problem.reference - ideal)
        worst = (distance[:, None, :] * weights).max(axis=2)
        places = (worst + 1e-3 * distance.sum(axis=1)[:, None]).argmin(axis=0)
        seen.append(rows[(rows < problem.reference).all(axis=1)])
        if turn % 20 == 19 or turn == rounds - 1:
            kept, seen = undominated(numpy.vstack([kept, *seen])), []
        parents = points[places]
        mates = parents[rng.integers(len(parents), size=(4 * len(parents)))]
        children = numpy.repeat(parents, 4, axis=0)
        crossed = rng.random(children.shape) < 0.2
        children = numpy.where(crossed, mates, children)
        step = 0.2 * 0.975 ** turn
        children += step * rng.standard_normal(children.shape) * (
            rng.random(children.shape) < 0.5)
        points = numpy.vstack([parents, numpy.clip(children, 0, 1 - 1e-12)])
    return kept


def _weights(metrics):
    count = 250 if metrics == 2 else 24
    parts = numpy.array([(*each, count - sum(each)) for each in itertools.product(
        range(count + 1), repeat=metrics - 1) if sum(each) <= count]) / count
    inverse = 1 / numpy.maximum(parts, 1e-3)
    return inverse / inverse.max(axis=1, keepdims=True)


def evolved_best(problem, rng, rounds=120, kept=40):
    """The least feasible value of a sample that is mutated ever more finely, and
    of a descent along the limits from the last sample's best.
    """
    points = rng.random((200_000, len(problem.space)))
    for turn in range(rounds):
        rows = problem.columns(points)
        met = problem.feasible(rows)
        points, rows = points[met], rows[met]
        order = numpy.argsort(rows[:, 0], kind="stable")[:kept]
        points = points[order]
        best = float(rows[order[0], 0])
        parents = numpy.repeat(points, 100, axis=0)
        moved = parents + 0.2 * 0.9 ** turn * rng.standard_normal(parents.shape) * (
            rng.random(parents.shape) < 0.5)
        points = numpy.vstack([points, numpy.clip(moved, 0, 1 - 1e-12)])
    for start in points[:10]:
        end = scipy.optimize.minimize(
            lambda x: problem.columns(x[None, :])[0, 0], start, method="SLSQP",
            bounds=[(0, 1 - 1e-12)] * len(start), options={"ftol": 1e-12}, constraints={
                "type": "ineq", "fun": lambda x: (
                    problem.limits - problem.columns(x[None, :])[0, problem.metrics:])})
        row = problem.columns(end.x[None, :])[0]
        over = (row[problem.metrics:] - problem.limits).max()
        # It stops beside a limit by what rounding makes.
        if over <= 1e-9:
            best = min(best, float(row[0]))
    return best


# --- Synthetic ---------------------------------------------------------------


class Bowls(FrontProblem):
    """Quadratic bowls of different shapes, one a metric. The front of convex
    bowls is what weighted sums of them are least at.
    """

    def __init__(self, columns, metrics, seed):
        rng = numpy.random.default_rng(seed)
        self.metrics = metrics
        self.space = _cube(columns)
        self.centres = rng.uniform(0.15, 0.85, (metrics, columns))
        self.scales = 10 ** rng.uniform(-0.5, 0.5, (metrics, columns))
        self.reference = numpy.full(metrics, 0.9)
        self._stretch = numpy.ones(metrics)
        front = self._front(metrics)
        self._stretch = 1 / front.max(axis=0)
        self.volume = hypervolume(front * self._stretch, self.reference)

    def columns(self, points):
        away = points[:, None, :] - self.centres
        return ((self.scales * away) ** 2).sum(axis=2) * self._stretch

    def _front(self, metrics):
        count = 400 if metrics == 2 else 40
        rows = []
        for parts in itertools.product(range(count + 1), repeat=metrics - 1):
            weights = numpy.array([*parts, count - sum(parts)]) / count
            if weights[-1] < 0:
                continue
            pull = weights[:, None] * self.scales ** 2 + 1e-12
            x = (pull * self.centres).sum(axis=0) / pull.sum(axis=0)
            rows.append(self.columns(x[None, :])[0])
        return numpy.array(rows)


class Waves(FrontProblem):
    """Bowls with ripples, whose front is not convex and has gaps."""

    def __init__(self, columns, seed):
        rng = numpy.random.default_rng(seed)
        self.metrics = 2
        self.space = _cube(columns)
        self._rest = rng.uniform(0.3, 0.7, columns - 1)
        self.reference = numpy.array([1.0, 1.1])
        self.volume = hypervolume(evolved_front(self, seed), self.reference)

    def columns(self, points):
        first = points[:, 0]
        off = ((points[:, 1:] - self._rest) ** 2).sum(axis=1)
        second = (1 + 3 * off) * (1 - first ** 0.7) + 0.12 * numpy.sin(
            5 * math.pi * first) + 0.12 + off
        return numpy.column_stack([first + 0.5 * off, second])


# --- Engineering -------------------------------------------------------------


class Beam(FrontProblem):
    """An I-beam that carries a load at its middle: its mass against how far it
    bends, where its greatest stress is limited. Sizes in metres.
    """

    metrics = 2
    limits = (1.0,)
    space = (parameter_space.double("height", 0.05, 0.6),
             parameter_space.double("width", 0.05, 0.4),
             parameter_space.double("flange", 0.002, 0.04, log=True),
             parameter_space.double("web", 0.002, 0.04, log=True))

    def __init__(self):
        self.reference = numpy.array([2.2, -1.0])
        self.volume = hypervolume(evolved_front(self, 5), self.reference)

    def columns(self, points):
        return _beam(points)


def _beam(points):
    height, width, flange, web = _decoded(Beam.space, points)
    inner = numpy.maximum(height - 2 * flange, 1e-4)
    area = 2 * width * flange + inner * web
    inertia = (width * height ** 3 - (width - numpy.minimum(web, width))
               * inner ** 3) / 12
    load, span, stiffness = 4e4, 4.0, 2.1e11
    bend = load * span ** 3 / (48 * stiffness * inertia)
    stress = load * span / 4 * height / 2 / inertia
    return numpy.column_stack([numpy.log10(7850 * area * span / 10),
                               numpy.log10(bend / span * 1e2),
                               stress / 1.6e8])


class Exchanger(FrontProblem):
    """A heat exchanger of tubes: heat that is lost, power of the pump, and the
    area of metal, with a whole number of tubes.
    """

    space = (parameter_space.integer("tubes", 10, 300, log=True),
             parameter_space.double("bore", 0.006, 0.05, log=True),
             parameter_space.double("length", 0.5, 6.0),
             parameter_space.double("flow", 1.0, 30.0, log=True),
             parameter_space.categorical("wall", ("steel", "copper", "ribbed")))

    def __init__(self, metrics):
        self.metrics = metrics
        self.reference = numpy.array([0.7, 4.0, 1.6][:metrics])
        self.volume = hypervolume(evolved_front(self, 6 + metrics), self.reference)

    def columns(self, points):
        return _exchanger(points)[:, :self.metrics]


def _exchanger(points):
    tubes, bore, length, flow, wall = _decoded(Exchanger.space, points)
    speed = flow / 1000 / (tubes * math.pi / 4 * bore ** 2)
    inside = 3500 * speed ** 0.8 / (bore / 0.02) ** 0.2
    inside *= numpy.array([1.0, 1.0, 1.7])[wall]
    metal = numpy.array([1.2e4, 2.2e5, 2.2e4])[wall]
    area = tubes * math.pi * bore * length
    units = area / (1 / inside + 1 / metal + 1 / 4000) / (flow * 4180)
    friction = 0.03 * numpy.array([1.0, 0.9, 2.2])[wall]
    drop = friction * length / bore * 500 * speed ** 2
    lost = numpy.exp(-units)
    demand = 0.1 * numpy.maximum(numpy.log(12 / flow), 0)
    return numpy.column_stack([
        lost + demand, numpy.log10(1 + drop * flow / 1000 / 0.6),
        numpy.log10(1 + area * numpy.array([1.0, 3.0, 1.8])[wall])])


# --- Tuning ------------------------------------------------------------------


class Networks(FrontProblem):
    """The error of a small network against its latency, and its memory."""

    # What each kind of cell takes off the error, and costs in latency.
    CELLS = {"relu": (0.0, 1.0), "gelu": (0.05, 1.15), "glu": (0.09, 1.5)}

    space = (
        parameter_space.double("lr", 1e-5, 1.0, log=True),
        parameter_space.integer("width", 8, 1024, log=True),
        parameter_space.integer("depth", 1, 12),
        parameter_space.double("dropout", 0.0, 0.6),
        parameter_space.categorical("cell", CELLS))

    def __init__(self, metrics):
        self.metrics = metrics
        self.reference = numpy.array([0.6, 6.0, 7.0][:metrics])
        rows = []
        for cell, depth in itertools.product(range(len(self.CELLS)), range(1, 13)):
            width = numpy.unique(numpy.rint(8 * 2 ** (numpy.arange(141) / 20)))
            rows.append(_network(_best_rate(width, depth), width, depth,
                                 _best_dropout(width, depth), cell)[:, :metrics])
        self.volume = hypervolume(undominated(numpy.vstack(rows)), self.reference)

    def columns(self, points):
        return _error_latency_memory(points)[:, :self.metrics]


def _best_rate(width, depth):
    return 10 ** (-1.2 - 0.45 * numpy.log10(width / 8) - 0.05 * depth)


def _best_dropout(width, depth):
    size = depth ** 0.7 * width
    return 0.5 * size / (size + 900)


def _error_latency_memory(points):
    return _network(*_decoded(Networks.space, points))


def _network(rate, width, depth, dropout, cell):
    gain, cost = numpy.array(list(Networks.CELLS.values())).T[:, cell]
    size = depth ** 0.7 * width
    off = numpy.log10(rate / _best_rate(width, depth))
    excess = dropout - _best_dropout(width, depth)
    error = (0.08 + 1.1 / (1 + size / 25) ** 0.6 - gain
             + 0.09 * off ** 2 + 0.8 * excess ** 2)
    latency = numpy.log2(1 + cost * depth * (width / 64) ** 1.3)
    memory = numpy.log2(1 + depth * (width / 48) ** 2)
    return numpy.column_stack([error, latency, memory])


# --- One metric under constraints --------------------------------------------


class ConstrainedBowl(ConstrainedProblem):
    """A bowl whose least value lies outside of what a band and a ball allow."""

    def __init__(self, columns, seed):
        rng = numpy.random.default_rng(seed)
        self.space = _cube(columns)
        self._centre = rng.uniform(0.6, 0.9, columns)
        self._scale = 10 ** rng.uniform(-0.4, 0.4, columns)
        self._slope = rng.uniform(0.5, 1.5, columns)
        self._ball = rng.uniform(0.2, 0.5, columns)
        self.limits = (0.75 * float((self._slope * self._centre).sum()) * 0.9,
                       0.09 * columns)
        self.measure(seed)

    def columns(self, points):
        away = self._scale * (points - self._centre)
        return numpy.column_stack([
            (away ** 2).sum(axis=1) + 0.05 * (1 - numpy.cos(9 * away)).sum(axis=1),
            points @ self._slope, ((points - self._ball) ** 2).sum(axis=1)])


class Limited(ConstrainedProblem):
    """The first of the values that `columns` gives, where the others are limited."""

    def __init__(self, space, limits, columns, seed):
        self.space, self.limits, self.columns = space, limits, columns
        self.measure(seed)


def _area_lost_power(points):
    return _exchanger(points)[:, [2, 0, 1]]


SUITES = {
    "fronts": {
        "bowls-4d-2m": lambda: Bowls(4, 2, 1), "bowls-8d-2m": lambda: Bowls(8, 2, 2),
        "bowls-5d-3m": lambda: Bowls(5, 3, 3), "waves-5d-2m": lambda: Waves(5, 4),
        "beam-2m-1c": Beam, "exchanger-2m": lambda: Exchanger(2),
        "exchanger-3m": lambda: Exchanger(3), "networks-2m": lambda: Networks(2),
        "networks-3m": lambda: Networks(3)},
    "constrained": {
        "constrained-bowl-4d-2c": lambda: ConstrainedBowl(4, 21),
        "constrained-bowl-7d-2c": lambda: ConstrainedBowl(7, 22),
        # Mass, where bending and stress are limited.
        "constrained-beam-2c": lambda: Limited(Beam.space, (-1.6, 0.35), _beam, 11),
        "constrained-exchanger-2c": lambda: Limited(
            Exchanger.space, (0.25, 2.2), _area_lost_power, 12),
        # Error, where latency and memory are limited.
        "constrained-network-2c": lambda: Limited(
            Networks.space, (2.0, 2.5), _error_latency_memory, 13)},
}


def main():
    """Says what each problem's best is, as a check of what is measured against."""
    for suite, makers in SUITES.items():
        for name, make in makers.items():
            problem = make()
            known = (f"volume {problem.volume:.5g}" if suite == "fronts" else
                     f"best {problem.best:.5g}, {problem.share:.1%} feasible")
            print(f"{name}: {known}")


if __name__ == "__main__":
    main()
