#!/usr/bin/env python3
"""What repeats of a point are worth: the true value of the recommended point.

usage: run.py --vernier PATH [--seeds 1-10] [--trials 30,60] [--modes none,3,AUTO]
              [--families NAME,...] [--noise 0.1,0.3]

Own noisy families, one study of `vernier suggest` for each mode at the same number of
evaluations, the same noise for the same seed and trial. Regret is the recommended
point's value without noise, less the optimum, in interquartile ranges of random points.
"""

import argparse
import math
import os
import random
import statistics
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from suggest_engine import SuggestEngine, choice, double, integer, numbers  # noqa: E402


def bowl(p):
    """Smooth, one optimum."""
    return (p["x"] - 0.3) ** 2 + 2 * (p["y"] + 0.2) ** 2 + (p["z"] - 0.1) ** 2


def valley(p):
    """A bent valley in four dimensions."""
    x = [p["a"], p["b"], p["c"], p["d"]]
    return math.log1p(sum(20 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
                          for i in range(3)))


def ridges(p):
    """Many local optima in two dimensions."""
    return sum((v - 0.4) ** 2 - 0.15 * math.cos(9 * (v - 0.4)) + 0.15
               for v in (p["x"], p["y"]))


def training(p):
    """What a small network's tuning looks like: a cliff, an optimizer, a size."""
    rate = math.log10(p["lr"])
    best = {"sgd": -1.0, "adam": -3.0, "rms": -2.6}[p["optimizer"]]
    loss = 0.25 * (rate - best) ** 2 + {"sgd": 0.05, "adam": 0, "rms": 0.03}[p["optimizer"]]
    if rate > best + 1.2:
        loss += 1.5
    return loss + 0.02 * (p["layers"] - 4) ** 2 + 0.3 * (p["dropout"] - 0.2) ** 2


def table(p):
    """Categories only: each cell's value hardly follows from its neighbours."""
    rng = random.Random("/".join(p[name] for name in sorted(p)))
    base = sum({"a": 0.0, "b": 0.3, "c": 0.6, "d": 0.9}[v] for v in p.values()) / 3
    return base + 0.5 * rng.random()


LETTERS = ["a", "b", "c", "d"]
FAMILIES = {
    "bowl": (bowl, [double("x", -1, 1), double("y", -1, 1), double("z", -1, 1)]),
    "valley": (valley, [double(n, -1.5, 1.5) for n in "abcd"]),
    "ridges": (ridges, [double("x", -1, 1), double("y", -1, 1)]),
    "training": (training, [double("lr", 1e-5, 1, True), integer("layers", 1, 8),
                            double("dropout", 0, 0.8),
                            choice("optimizer", ["sgd", "adam", "rms"])]),
    "table": (table, [choice(n, LETTERS) for n in ("p", "q", "r")]),
}


def draw(params, rng):
    point = {}
    for each in params:
        name = each["parameterName"]
        if each["type"] == "CATEGORICAL":
            point[name] = rng.choice(each["categoricalValues"])
        elif each["type"] == "INTEGER":
            point[name] = rng.randint(each["minValue"], each["maxValue"])
        elif each.get("scaleType") == "UNIT_LOG_SCALE":
            point[name] = math.exp(rng.uniform(math.log(each["minValue"]),
                                               math.log(each["maxValue"])))
        else:
            point[name] = rng.uniform(each["minValue"], each["maxValue"])
    return point


def scale_of(name):
    """The optimum, and the interquartile range of random points."""
    function, params = FAMILIES[name]
    rng = random.Random(name)
    values = [function(draw(params, rng)) for _ in range(20000)]
    quarters = statistics.quantiles(values, n=4)
    optimum = {"bowl": 0.0, "valley": 0.0, "ridges": 0.0, "training": 0.0}.get(
        name, min(values))
    return optimum, quarters[2] - quarters[0]


def repeats_field(mode):
    """The field of `create` that a mode means."""
    return {} if mode == "none" else {"repeats": int(mode) if mode.isdigit() else mode}


def play(binary, name, noise, mode, seed, checkpoints):
    """The regret of the recommended and of the best trial at each checkpoint, and the
    number of repeats."""
    function, params = FAMILIES[name]
    optimum, spread = scale_of_cached(name)
    engine = SuggestEngine(binary, params, seed, **repeats_field(mode))
    rng = random.Random(f"{name}/{seed}")
    found, repeats = {}, 0
    for trial in range(1, max(checkpoints) + 1):
        asked = engine.call({"op": "ask"})["trials"][0]
        repeats += "repeat" in asked
        value = function(asked["parameters"]) + noise * spread * rng.gauss(0, 1)
        engine.call({"op": "tell", "id": asked["id"], "value": value})
        if trial in checkpoints:
            best = engine.call({"op": "best"})
            found[trial] = [(function(best[key]["parameters"]) - optimum) / spread
                            for key in ("recommended", "best")] + [repeats]
    engine.close()
    return found


_scales = {}


def scale_of_cached(name):
    if name not in _scales:
        _scales[name] = scale_of(name)
    return _scales[name]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vernier", default=os.environ.get("VERNIER_BINARY", "vernier"))
    parser.add_argument("--seeds", default="1-10", type=numbers)
    parser.add_argument("--trials", default="30,60")
    parser.add_argument("--modes", default="none,3,AUTO")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--noise", default="0.1,0.3")
    options = parser.parse_args()
    checkpoints = [int(each) for each in options.trials.split(",")]
    modes = options.modes.split(",")
    totals = {}
    for name in options.families.split(","):
        for noise in map(float, options.noise.split(",")):
            for mode in modes:
                runs = [play(options.vernier, name, noise, mode, seed, checkpoints)
                        for seed in options.seeds]
                for at in checkpoints:
                    recommended = [run[at][0] for run in runs]
                    best = [run[at][1] for run in runs]
                    totals.setdefault((at, mode), []).append(
                        (statistics.mean(recommended), statistics.mean(best), recommended))
                    print(f"{name:9s} noise {noise:.2f} {at:4d} trials {mode:5s} "
                          f"recommended {statistics.mean(recommended):.4f} "
                          f"(median {statistics.median(recommended):.4f}) "
                          f"best {statistics.mean(best):.4f} "
                          f"repeats {statistics.mean(run[at][2] for run in runs):.1f}",
                          flush=True)
    for at in checkpoints:
        for mode in modes:
            rows = totals[at, mode]
            others = {other: sum(r < o - 1e-12 for mine, theirs in zip(rows, totals[at, other])
                                 for r, o in zip(mine[2], theirs[2]))
                      for other in modes if other != mode}
            print(f"all       {at:4d} trials {mode:5s} "
                  f"recommended {statistics.mean(r[0] for r in rows):.4f} "
                  f"best {statistics.mean(r[1] for r in rows):.4f} "
                  f"wins {others} of {sum(len(r[2]) for r in rows)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
