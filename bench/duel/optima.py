"""Where problems of the tuning part have their optimum, for those that play who knows it."""

import math
import random

import numpy as np
from problems import bbob
from problems.problem import random_point, stable_seed


def to_unit(parameter, value):
    if parameter.log:
        return (math.log(value / parameter.low)
                / math.log(parameter.high / parameter.low))
    return (value - parameter.low) / (parameter.high - parameter.low)


def from_unit(parameter, u):
    if parameter.log:
        return parameter.low * (parameter.high / parameter.low) ** u
    return parameter.low + u * (parameter.high - parameter.low)


def refined(problem, point, rng):
    """A random search around the point, whose steps shrink."""
    best, step = problem.evaluate(point), 0.2
    for _ in range(600):
        moved = dict(point)
        for each in problem.parameters:
            if each.is_numeric() and rng.random() < 0.6:
                u = to_unit(each, point[each.name]) + step * rng.gauss(0, 1)
                value = from_unit(each, min(1, max(0, u)))
                moved[each.name] = round(value) if each.kind == "INTEGER" else value
        value = problem.evaluate(moved)
        if value < best:
            point, best = moved, value
        else:
            step = max(1e-3, 0.99 * step)
    return best, point


def optimum_of(problem):
    """The point with the least value, or nearly so."""
    if problem.family == "bbob":
        number, d = (int(word[1:]) for word in problem.name.split("-")[1:3])
        place = bbob.instance(number, d).location
        return {f"x{i}": float(x) for i, x in enumerate(place)}
    rng = np.random.default_rng(stable_seed("beliefs", problem.name))
    points = [random_point(problem.parameters, rng) for _ in range(2000)]
    points.sort(key=problem.evaluate)
    steps = random.Random(problem.name)
    found = [refined(problem, point, steps) for point in points[:10]]
    return min(found, key=lambda each: each[0])[1]
