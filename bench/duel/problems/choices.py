"""Functions of a parameter with many choices beside a few numbers.

What one choice is worth says nothing about another. At one end a single choice is
good and the others are alike, so that nothing tells where to look; at the other end
all are alike, so that looking is in vain.
"""

import numpy as np
import parameter_space
from problems.problem import DATA_FLOOR, Function, stable_seed


def _choices(name, count, children=()):
    return parameter_space.categorical(name, tuple(f"c{i}" for i in range(count)),
                                       children)


def _bowl(name, d):
    """Over x0 to the d-th: its parameters and its value, which is 0 somewhere."""
    place = np.random.default_rng(stable_seed("place", name)).uniform(0.15, 0.85, d)
    return ([parameter_space.double(f"x{i}", 0.0, 1.0) for i in range(d)],
            lambda point: sum((point[f"x{i}"] - place[i]) ** 2 for i in range(d)))


def _worths(name, shape):
    """What combinations of choices cost above the best of them."""
    worths = np.random.default_rng(stable_seed("worths", name)).uniform(size=shape)
    return worths - worths.min()


def _index(value):
    return int(value[1:])


def _problem(name, parameters, evaluate):
    return Function(name, "choices", parameters, evaluate, floor=DATA_FLOOR)


def _one_good(count, d):
    name = f"one-good-of-{count}-d{d}"
    good = stable_seed("good", name) % count
    numbers, bowl = _bowl(name, d)
    return _problem(
        name, [_choices("choice", count), *numbers],
        lambda point: bowl(point) + (_index(point["choice"]) != good))


def _each_its_worth(count, d):
    name = f"each-its-worth-{count}-d{d}"
    worths = _worths(name, count)
    numbers, bowl = _bowl(name, d)
    return _problem(name, [_choices("choice", count), *numbers],
                    lambda point: bowl(point) + worths[_index(point["choice"])])


def _all_alike(count, d):
    name = f"all-alike-{count}-d{d}"
    numbers, bowl = _bowl(name, d)
    return _problem(name, [_choices("choice", count), *numbers], bowl)


def _pairs(count):
    """Three parameters whose choices are good or bad by pairs."""
    name = f"pairs-of-{count}"
    first, second = _worths(name + "-ab", (count, count)), _worths(name + "-bc", (count, count))
    least = (first[:, :, None] + second[None, :, :]).min()
    numbers, bowl = _bowl(name, 1)

    def evaluate(point):
        a, b, c = (_index(point[key]) for key in "abc")
        return bowl(point) + first[a, b] + second[b, c] - least

    return _problem(name, [_choices(key, count) for key in "abc"] + numbers, evaluate)


def _branches(count):
    """Each choice has a number of its own."""
    name = f"branches-{count}"
    worths = _worths(name, count)
    places = np.random.default_rng(stable_seed("places", name)).uniform(0.15, 0.85, count)
    children = [((f"c{i}",), (parameter_space.double(f"x{i}", 0.0, 1.0),))
                for i in range(count)]

    def evaluate(point):
        i = _index(point["choice"])
        return worths[i] + (point[f"x{i}"] - places[i]) ** 2

    return _problem(name, [_choices("choice", count, children)], evaluate)


def problems():
    return ([_one_good(count, d) for count in (5, 10, 20, 40) for d in (1, 3)]
            + [_each_its_worth(count, d) for count in (8, 12, 20, 30) for d in (1, 2, 4, 6)]
            + [_all_alike(count, d) for count in (12, 20, 30) for d in (2, 4, 6)]
            + [_pairs(count) for count in (5, 8, 12)]
            + [_branches(count) for count in (6, 8, 12, 16)])
