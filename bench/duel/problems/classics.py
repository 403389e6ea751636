"""Test functions of the literature, over the usual boxes.

Ackley's optimum is moved off the centre of its box, where any optimizer that
begins at the centre would find it in one trial.
"""

import math

import numpy as np
import parameter_space
from problems.problem import Function

HARTMANN_WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
HARTMANN_3 = (np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]]),
              1e-4 * np.array([[3689, 1170, 2673], [4699, 4387, 7470],
                               [1091, 8732, 5547], [381, 5743, 8828]]))
HARTMANN_6 = (np.array([[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14],
                        [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]),
              1e-4 * np.array([[1312, 1696, 5569, 124, 8283, 5886],
                               [2329, 4135, 8307, 3736, 1004, 9991],
                               [2348, 1451, 3522, 2883, 3047, 6650],
                               [4047, 8828, 8732, 5743, 1091, 381]]))
EMBEDDED_DIMENSIONS = (50, 100)
# Which of the many coordinates matter.
EMBEDDED_AT = (3, 11, 19, 27, 35, 43)


def branin(x):
    a, b = x
    return ((b - 5.1 / (4 * math.pi ** 2) * a ** 2 + 5 / math.pi * a - 6) ** 2
            + 10 * (1 - 1 / (8 * math.pi)) * math.cos(a) + 10)


def hartmann(tables):
    scales, places = tables
    return lambda x: -HARTMANN_WEIGHTS @ np.exp(
        -np.sum(scales * (np.asarray(x) - places) ** 2, axis=1))


def levy(x):
    w = 1 + (np.asarray(x) - 1) / 4
    middle = (w[:-1] - 1) ** 2 * (1 + 10 * np.sin(np.pi * w[:-1] + 1) ** 2)
    return (math.sin(math.pi * w[0]) ** 2 + np.sum(middle)
            + (w[-1] - 1) ** 2 * (1 + math.sin(2 * math.pi * w[-1]) ** 2))


def ackley(x):
    x = np.asarray(x)
    return max(0.0, -20 * math.exp(-0.2 * math.sqrt(np.mean(x ** 2)))
               - math.exp(np.mean(np.cos(2 * np.pi * x))) + 20 + math.e)


def styblinski_tang(x):
    x = np.asarray(x)
    return 0.5 * np.sum(x ** 4 - 16 * x ** 2 + 5 * x)


def michalewicz(x):
    x = np.asarray(x)
    i = np.arange(1, len(x) + 1)
    return -np.sum(np.sin(x) * np.sin(i * x ** 2 / np.pi) ** 20)


def _boxed(name, function, bounds, optimum, group=None):
    parameters = [parameter_space.double(f"x{i}", low, high)
                  for i, (low, high) in enumerate(bounds)]
    return Function(name, "classics", parameters,
                    lambda point: function(
                        [point[f"x{i}"] for i in range(len(bounds))]),
                    optimum=optimum, group=group)


def _embedded_hartmann(d):
    inner = hartmann(HARTMANN_6)
    return _boxed(f"hartmann6-in-{d}",
                  lambda x: inner([x[i] for i in EMBEDDED_AT]),
                  [(0, 1)] * d, HARTMANN_6_OPTIMUM, group="hartmann6")


HARTMANN_3_OPTIMUM = -3.8627797873326633
HARTMANN_6_OPTIMUM = -3.3223680114155156
MICHALEWICZ_OPTIMUM = {2: -1.801303410098557, 5: -4.687658179088155,
                       10: -9.660151715641351}
STYBLINSKI_TANG_OPTIMUM = -39.16616570377142  # A coordinate.


def problems():
    found = [
        _boxed("branin", branin, [(-5, 10), (0, 15)], 0.39788735772973816),
        _boxed("hartmann3", hartmann(HARTMANN_3), [(0, 1)] * 3,
               HARTMANN_3_OPTIMUM),
        _boxed("hartmann6", hartmann(HARTMANN_6), [(0, 1)] * 6,
               HARTMANN_6_OPTIMUM),
    ]
    for d in (4, 10):
        found += [
            _boxed(f"levy-d{d}", levy, [(-10, 10)] * d, 0.0, group="levy"),
            _boxed(f"ackley-d{d}", ackley,
                   [(-10 - 2 * (i % 4), 20 - 3 * (i % 3)) for i in range(d)],
                   0.0, group="ackley"),
            _boxed(f"styblinski-tang-d{d}", styblinski_tang, [(-5, 5)] * d,
                   STYBLINSKI_TANG_OPTIMUM * d, group="styblinski-tang"),
        ]
    for d, optimum in MICHALEWICZ_OPTIMUM.items():
        found.append(_boxed(f"michalewicz-d{d}", michalewicz,
                            [(0, math.pi)] * d, optimum, group="michalewicz"))
    return found + [_embedded_hartmann(d) for d in EMBEDDED_DIMENSIONS]
