"""Tests of the duel: its problems, its statistics, its driver. No peers."""

import contextlib
import io
import itertools
import json
import math
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "duel"))
sys.path.insert(0, str(ROOT / "bench" / "duel" / "adapters"))
sys.path.insert(0, str(ROOT / "bench" / "duel" / "fronts"))

CACHE = tempfile.TemporaryDirectory()
os.environ["DUEL_CACHE"] = CACHE.name

# The paths above come first.
import bootstrap  # noqa: E402
import comparison  # noqa: E402
import front_problems  # noqa: E402
import limits  # noqa: E402
import numpy as np  # noqa: E402
import parameter_space  # noqa: E402
import protocol  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402
import run  # noqa: E402
import trial_loop  # noqa: E402
from problems import bbob, classics, conditional, problem  # noqa: E402
from problems import registry, tables  # noqa: E402
from process import OptimizerProcess  # noqa: E402

# Function, point, value less f_opt: of COCO's own program, instance 1.
COCO = (
    (1, (-5.133, -0.0, 2.929, -3.873, -1.343), 79.11218608),
    (2, (-4.037, 2.085, -2.184, 2.531, -0.476), 4948590.757),
    (3, (4.964, -5.217, 4.02, -1.418, -2.093), 425.8231455),
    (4, (-4.649, -1.117, -5.996, 2.933, 4.223), 3934.464911),
    (5, (3.212, 0.848, -4.874, -1.303, -5.115), 75.84011945),
    (6, (3.759, 5.964, -1.793, -3.948, -1.3), 658117.8448),
    (7, (2.098, -1.646, -2.041, 5.324, -3.608), 1072.055822),
    (8, (0.893, -1.27, 5.904, 5.085, -4.176), 226219.6185),
    (9, (-3.707, 5.706, -4.71, -0.575, -1.264), 102646.5391),
    (10, (-0.399, 3.888, 2.168, 4.043, 3.091), 635073.069),
    (11, (3.968, -3.923, 1.037, 5.501, 2.598), 2324962.583),
    (12, (3.126, -4.682, 1.499, -1.033, 1.37), 110841246.5),
    (13, (-0.289, -2.901, -4.126, 2.539, 4.129), 1102.735317),
    (14, (-4.588, 0.072, 3.786, -3.395, -5.098), 32.10285339),
    (15, (-1.352, 1.487, 1.103, -1.916, -2.362), 574.0182357),
    (16, (5.66, 4.772, 5.528, 1.246, 0.182), 240.8533041),
    (17, (-2.11, 2.607, -0.186, 5.994, 3.312), 163.0577971),
    (18, (2.768, 0.818, 4.799, -0.626, -1.121), 153.1315097),
    (19, (-4.011, 3.686, -5.729, -1.505, -0.322), 165.1070501),
    (20, (-4.433, -4.995, -2.123, 5.131, -0.329), 144703.4666),
    (21, (2.03, -5.921, -3.806, -0.949, -1.46), 63.27422195),
    (22, (-1.732, 4.981, 3.018, -2.715, 5.256), 73.81095689),
    (23, (-3.751, -2.205, -1.48, -0.07, -0.33), 29.18507748),
    (24, (-3.077, -2.468, -0.961, 5.547, -0.494), 3094.719577),
)

HARTMANN_6_PLACE = (0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162,
                    0.65730054)

BEST_NETWORK = {
    "optimizer": "adam", "adam_rate": 1e-3, "adam_one_minus_beta1": 0.1,
    "adam_one_minus_beta2": 1e-3, "layers": 3.0, "width_1": 128, "width_2": 64,
    "width_3": 32, "activation": "relu", "dropout": 0.25,
    "weight_decay": 1e-4, "batch": 32.0}


class BbobTest(unittest.TestCase):

    def test_agrees_with_coco(self):
        for number, x, value in COCO:
            with self.subTest(number):
                self.assertAlmostEqual(bbob.instance(number, 5)(x) / value, 1,
                                       delta=1e-7)

    def test_is_zero_at_its_optimum_and_positive_beside_it(self):
        rng = np.random.default_rng(1)
        for number, d in itertools.product(range(1, 25), bbob.DIMENSIONS):
            function = bbob.instance(number, d)
            with self.subTest(number=number, d=d):
                self.assertAlmostEqual(function(function.location), 0, places=9)
                for step in (1e-3, 0.1, 1.0):
                    beside = function.location + step * rng.normal(size=d)
                    inside = np.clip(beside, -5, 5)
                    self.assertGreaterEqual(function(inside), 0)

    def test_levels_hold_the_optimum(self):
        for number, make in itertools.product(
                range(1, 25), (bbob.discretised, bbob.permuted)):
            made = make(number, 5)
            place = bbob.instance(number, 5).location
            levels = [parameter.values or range(int(parameter.high) + 1)
                      for parameter in made.parameters[1::2]]
            least = min(
                made.evaluate({"x0": place[0], "x2": place[2], "x4": place[4],
                               "x1": a, "x3": b})
                for a, b in itertools.product(*levels))
            with self.subTest(made.name):
                self.assertAlmostEqual(least, 0, places=9)

    def test_categories_come_in_the_same_random_order_each_time(self):
        point = {"x0": 0.5, "x2": 1.5, "x4": -1.0, "x1": "v1", "x3": "v2"}
        one, other = (bbob.permuted(1, 5).evaluate(point) for _ in range(2))
        self.assertEqual(one, other)
        values = [bbob.permuted(1, 5).evaluate({**point, "x3": f"v{k}"})
                  for k in range(10)]
        turns = np.count_nonzero(np.diff(np.sign(np.diff(values))))
        self.assertGreater(turns, 1, "a sphere's levels are still in order")


class NoiseTest(unittest.TestCase):

    def setUp(self):
        self.problem = problem.Noisy(bbob.continuous(1, 2), "bbob-noisy", 0.10)
        self.point = {"x0": 1.0, "x1": 2.0}

    def test_depends_on_seed_and_trial_alone(self):
        again = problem.Noisy(bbob.continuous(1, 2), "bbob-noisy", 0.10)
        first = self.problem.observe(self.point, 101, 7)
        self.assertEqual(first, again.observe(self.point, 101, 7))
        self.assertNotEqual(first, again.observe(self.point, 102, 7))
        self.assertNotEqual(first, again.observe(self.point, 101, 8))

    def test_has_the_share_of_the_interquartile_range(self):
        low, high = np.quantile(self.problem.random_sample, [0.25, 0.75])
        noise = [self.problem.observe(self.point, 1, i)
                 - self.problem.evaluate(self.point) for i in range(2000)]
        self.assertAlmostEqual(np.std(noise) / (0.1 * (high - low)), 1,
                               delta=0.05)
        self.assertLess(abs(np.mean(noise)), 4 * np.std(noise) / 2000 ** 0.5)


class ClassicsTest(unittest.TestCase):

    def test_reach_their_optimum_where_the_literature_says(self):
        cases = (
            (classics.branin((math.pi, 2.275)), 0.39788735772973816),
            (classics.hartmann(classics.HARTMANN_3)(
                (0.114614, 0.555649, 0.852547)), classics.HARTMANN_3_OPTIMUM),
            (classics.hartmann(classics.HARTMANN_6)(HARTMANN_6_PLACE),
             classics.HARTMANN_6_OPTIMUM),
            (classics.levy([1.0] * 4), 0.0),
            (classics.ackley([0.0] * 4), 0.0),
            (classics.styblinski_tang([-2.903534] * 4),
             4 * classics.STYBLINSKI_TANG_OPTIMUM),
            (classics.michalewicz((2.202906, 1.570796)),
             classics.MICHALEWICZ_OPTIMUM[2]),
        )
        for value, optimum in cases:
            self.assertAlmostEqual(value, optimum, places=6)

    def test_ackley_is_not_solved_by_the_centre(self):
        for name in ("ackley-d4", "ackley-d10"):
            made = registry.all_problems()[name]
            centre = {parameter.name: parameter_space.from_unit(parameter, 0.5)
                      for parameter in made.parameters}
            self.assertGreater(made.evaluate(centre), 1)


class ConditionalTest(unittest.TestCase):

    def test_network_is_zero_at_its_optimum(self):
        made = conditional.network_tree()
        self.assertTrue(parameter_space.contains(made.parameters, BEST_NETWORK))
        self.assertAlmostEqual(made.evaluate(BEST_NETWORK), 0, places=9)
        worse = {**BEST_NETWORK, "adam_rate": 1e-2}
        self.assertAlmostEqual(made.evaluate(worse), 2.3 * math.tanh(0.08))

    def test_the_best_place_differs_between_branches(self):
        made = conditional.switch_tree("a", 2, 2, 2)
        grid = np.linspace(0, 1, 26)
        places = []
        for k in range(2):
            fixed = {parameter.name: 0.5 if parameter.is_numeric() else "v0"
                     for parameter in parameter_space.flattened(made.parameters)}
            fixed["switch"] = f"v{k}"
            places.append(min(
                itertools.product(grid, grid),
                key=lambda x, k=k, fixed=fixed: made.evaluate(
                    {**fixed, f"x_{k}_0": x[0], f"x_{k}_1": x[1]})))
        self.assertGreater(np.max(np.abs(np.subtract(*places))), 0.1)


class SpaceTest(unittest.TestCase):

    def setUp(self):
        self.tree = conditional.network_tree().parameters

    def test_survives_the_wire(self):
        spec = json.loads(json.dumps(parameter_space.to_spec(self.tree)))
        self.assertEqual(parameter_space.from_spec(spec), self.tree)

    def test_a_point_holds_exactly_the_active_parameters(self):
        without = {name: value for name, value in BEST_NETWORK.items()
                   if name != "width_3"}
        for point in ({**BEST_NETWORK, "width_4": 8}, without,
                      {**BEST_NETWORK, "dropout": 0.9},
                      {**BEST_NETWORK, "width_1": 8.5},
                      {**BEST_NETWORK, "activation": "sine"}):
            self.assertFalse(parameter_space.contains(self.tree, point))

    def test_the_unit_interval_covers_each_parameter_to_its_ends(self):
        whole = parameter_space.integer("n", 1, 4)
        values = [parameter_space.from_unit(whole, u)
                  for u in np.arange(0.005, 1, 0.01)]
        self.assertEqual([values.count(k) for k in (1, 2, 3, 4)], [25] * 4)
        rate = parameter_space.double("rate", 1e-4, 1, log=True)
        self.assertAlmostEqual(parameter_space.from_unit(rate, 0.5), 1e-2)

    def test_what_a_peer_returns_is_made_plain(self):
        values = {parameter.name: (parameter.values[0] if parameter.values
                                   else parameter.low)
                  for parameter in parameter_space.flattened(self.tree)}
        values |= {"layers": np.float32(2), "width_1": 31.9,
                   "batch": 63.99999, "dropout": 0.8000001}
        point = protocol.plain_point(self.tree, values)
        self.assertTrue(parameter_space.contains(self.tree, point))
        self.assertEqual((point["width_1"], point["batch"], point["dropout"]),
                         (32, 64.0, 0.8))
        self.assertNotIn("adam_rate", point)


class TableTest(unittest.TestCase):

    def test_answers_with_a_repeat_and_is_scored_by_their_mean(self):
        measured = []

        def measure(point, repeat):
            measured.append(point)
            return point["a"] + repeat

        def make():
            return tables.Table("tiny", "cells", [
                parameter_space.discrete("a", (3.0, 5.0))], measure, 2)
        made = make()
        self.assertEqual(made.optimum, 3.5)
        self.assertEqual(made.evaluate({"a": 5.0}), 5.5)
        seen = {made.observe({"a": 5.0}, 1, i) for i in range(50)}
        self.assertEqual(seen, {5.0, 6.0})
        make().evaluate({"a": 3.0})
        self.assertEqual(len(measured), 4, "measured again, not kept")


class RegistryTest(unittest.TestCase):

    def test_regrets_are_never_negative(self):
        chosen = registry.select("classics,conditional,bbob-f*-d5*,nk-*")
        rng = np.random.default_rng(2)
        for made in chosen:
            if made.optimum is None or made.name.startswith("pipeline"):
                continue
            values = [made.evaluate(problem.random_point(made.parameters, rng))
                      for _ in range(5)]
            with self.subTest(made.name):
                self.assertGreaterEqual(min(values), made.optimum)
        self.assertEqual(problem.regret(1.0, 2.0, 3.0, 0.9), 0.0)
        self.assertEqual(problem.regret(1.0, 2.0, 3.0, 1.5), 0.5)
        self.assertEqual(problem.regret(1.0, 1.0, 3.0, 1.5), 0.25)

    def test_a_third_is_for_tuning_and_variants_stay_together(self):
        every = registry.all_problems().values()
        for family in registry.families():
            parts = [made.part for made in every if made.family == family]
            share = parts.count(problem.TUNING) / len(parts)
            self.assertTrue(0.15 < share <= 0.5, f"{family}: {share}")
        for made in every:
            self.assertEqual(made.part, problem.part_of(made.group))
        self.assertEqual(
            {made.part for made in registry.select("bbob-f08-*,bbob-f08*d20")},
            {problem.part_of("bbob-f08")})

    def test_the_headline_is_for_reporting(self):
        for made in registry.select("headline"):
            self.assertEqual(made.part, problem.REPORTING, made.name)

    def test_a_word_that_picks_nothing_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no problem is called"):
            registry.select("branin,brannin")


class FailingTest(unittest.TestCase):

    def test_what_fails_is_told_so_and_scores_worst(self):
        for made in registry.select("failing"):
            rng = np.random.default_rng(3)
            points = [problem.random_point(made.parameters, rng)
                      for _ in range(300)]
            failed = [point for point in points
                      if made.observe(point, 1, 1) is None]
            with self.subTest(made.name):
                self.assertTrue(0.05 < len(failed) / len(points) < 0.9)
                worst = made.evaluate(failed[0])
                for point in points:
                    self.assertEqual(
                        point in failed, made.evaluate(point) == worst)

    def test_the_optimizer_is_told_that_a_trial_failed(self):
        process = object.__new__(OptimizerProcess)
        sent = []
        process._call = sent.append
        process.tell(7, None)
        process.tell(8, 0.0)
        self.assertEqual(sent, [{"op": "tell", "id": 7, "infeasible": True},
                                {"op": "tell", "id": 8, "value": 0.0}])


class BootstrapTest(unittest.TestCase):

    def test_a_constant_difference_is_certain(self):
        rng = np.random.default_rng(0)
        second = rng.normal(size=(6, 5))
        pairs = [np.array([row - 0.3, row]) for row in second]
        for bound in bootstrap.interval(pairs, resamples=500):
            self.assertAlmostEqual(bound, -0.3)

    def test_width_is_that_of_a_mean_over_problems(self):
        effects = np.random.default_rng(1).normal(size=100)
        pairs = [np.array([[effect] * 3, [0.0] * 3]) for effect in effects]
        mean, low, high = bootstrap.interval(pairs, resamples=4000)
        error = effects.std() / 10
        self.assertAlmostEqual(mean, effects.mean())
        self.assertAlmostEqual((high - low) / (2 * 1.96 * error), 1, delta=0.08)

    def test_seeds_widen_it_too(self):
        rng = np.random.default_rng(2)
        pairs = [np.array([rng.normal(size=9), np.zeros(9)]) for _ in range(9)]
        fixed = [np.array([[np.median(pair[0])] * 9, [0.0] * 9])
                 for pair in pairs]
        _, low, high = bootstrap.interval(pairs, resamples=4000)
        _, fixed_low, fixed_high = bootstrap.interval(fixed, resamples=4000)
        self.assertGreater(high - low, 1.1 * (fixed_high - fixed_low))

    def test_counts_wins_and_losses_by_problem(self):
        pairs = [np.array([[0.0, 0.0, 9.0], [1.0, 1.0, 1.0]]),
                 np.array([[0.5], [0.0]]), np.array([[0.01], [0.0]])]
        self.assertEqual(bootstrap.wins_and_losses(pairs, 0.02), (1, 1))


def make_row(optimizer, seed, values, **changes):
    return {"problem": "p", "family": "f", "part": "reporting",
            "optimizer": optimizer, "seed": seed, "mode": "sequential",
            "workers": 1, "trials": len(values), "error": "", "values": values,
            "ask_seconds": [0.1] * len(values),
            "ask_cpu_seconds": [0.05] * len(values), "slow_asks": 0,
            "optimum": 0.0, "floor": 1e-3, "random_50": 1.0, "random_1": 10.0,
            "random_best": 0.5, "versions": {}, "flattens": False, **changes}


class ComparisonTest(unittest.TestCase):

    def test_decades_are_of_the_best_value_so_far(self):
        compared = comparison.Comparison([
            make_row("one", 1, [1.0, 0.1, 5.0]), make_row("two", 1, [10.0] * 3)])
        self.assertAlmostEqual(compared.decades("one", 1, ["p"]), 0)
        self.assertAlmostEqual(compared.decades("one", 3, ["p"]), -1)
        found = compared.difference("one", "two", 3)
        self.assertAlmostEqual(found["decades"], -2)
        self.assertEqual((found["wins"], found["losses"]), (1, 0))

    def test_regret_stops_at_the_floor(self):
        compared = comparison.Comparison([make_row("one", 1, [1e-9])])
        self.assertAlmostEqual(compared.decades("one", 1, ["p"]), -3)

    def test_a_failed_run_keeps_what_it_had(self):
        compared = comparison.Comparison([
            make_row("one", 1, [1.0, 0.1], trials=4, error="died"),
            make_row("two", 1, [], trials=4, error="died")])
        self.assertAlmostEqual(compared.decades("one", 4, ["p"]), -1)
        self.assertAlmostEqual(compared.decades("two", 4, ["p"]), 1)
        self.assertEqual(compared.latency("one")["errors"], 1)

    def test_an_unknown_optimum_is_the_best_that_anyone_saw(self):
        compared = comparison.Comparison([
            make_row("one", 1, [0.3], optimum=None),
            make_row("two", 1, [0.2], optimum=None)])
        self.assertAlmostEqual(compared.decades("two", 1, ["p"]), -3)
        self.assertAlmostEqual(compared.decades("one", 1, ["p"]),
                               math.log10(0.1 / 0.8))

    def test_only_shared_seeds_are_compared(self):
        compared = comparison.Comparison([
            make_row("one", 1, [1.0]), make_row("one", 2, [1e-3]),
            make_row("two", 1, [1.0])])
        self.assertAlmostEqual(compared.difference("one", "two", 1)["decades"], 0)
        self.assertIsNone(compared.difference("one", "three", 1))

    def test_share_of_trials_to_the_best_peers_last_value(self):
        compared = comparison.Comparison([
            make_row("one", 1, [1.0, 0.5, 0.1, 0.1]),
            make_row("two", 1, [1.0, 0.9, 0.6, 0.5]),
            make_row("three", 1, [2.0, 2.0, 2.0, 2.0])])
        self.assertAlmostEqual(compared.share_of_trials("one", 4)["share"], 0.5)
        found = compared.share_of_trials("two", 4)
        self.assertEqual((found["share"], found["reached"]), (1.0, 0))
        self.assertEqual(compared.best_peer("one", ["p"], 4), "two")


class FakeProcess:
    """Counts how many trials run at once, and remembers who was told."""

    def __init__(self):
        self.asks, self.told, self.running, self.most = [], [], set(), 0

    def ask(self, count):
        first = sum(self.asks) + 1
        self.asks.append(count)
        trials = [(first + i, {"x0": 0.0, "x1": 0.0}) for i in range(count)]
        self.running |= {trial for trial, _ in trials}
        self.most = max(self.most, len(self.running))
        return trials, 0.0, 0.0

    def tell(self, trial_id, value):
        del value
        self.running.remove(trial_id)
        self.told.append(trial_id)
        return 0.0


class TrialLoopTest(unittest.TestCase):

    def run_mode(self, mode, workers, trials=10):
        process = FakeProcess()
        record = trial_loop.Record(bbob.continuous(1, 2), 1)
        trial_loop.run_trials(process, record, trials, mode, workers, 1)
        self.assertEqual(sorted(process.told), list(range(1, trials + 1)))
        self.assertEqual(len(record.values), trials)
        return process

    def test_one_after_another(self):
        self.assertEqual(self.run_mode("sequential", 1).most, 1)

    def test_batches_are_asked_for_at_once(self):
        self.assertEqual(self.run_mode("batch", 4).asks, [4, 4, 2])

    def test_asynchronous_workers_are_kept_busy_and_overtake(self):
        process = self.run_mode("async", 3)
        self.assertEqual((process.most, process.asks), (3, [1] * 10))
        self.assertNotEqual(process.told, sorted(process.told))
        self.assertEqual(process.told, self.run_mode("async", 3).told)


BAD_ENGINE = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    if number == 5:
        {fault}
    op = json.loads(line)["op"]
    print(json.dumps({{"trials": [{{"id": number, "parameters":
          {{"x0": 1.0, "x1": {x1}}}}}]}} if op == "ask" else {{"ok": True}}),
          flush=True)
"""


class DriverTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out.jsonl"

    def drive(self, *words):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), \
                contextlib.redirect_stderr(output):
            code = run.main(["--out", str(self.out), *words])
        return code, output.getvalue()

    def mini_run(self):
        return self.drive("--suite", "branin,hartmann3", "--part", "tuning",
                          "--optimizers", "random", "--seeds", "1-2",
                          "--trials", "5", "--jobs", "2")

    def test_a_small_run_can_be_reported(self):
        self.assertEqual(self.mini_run()[0], 0)
        rows = results.read(self.out)
        self.assertEqual(sorted((row["problem"], row["seed"]) for row in rows),
                         [("branin", 1), ("branin", 2), ("hartmann3", 1),
                          ("hartmann3", 2)])
        for row in rows:
            self.assertEqual((len(row["values"]), row["error"]), (5, ""))
            self.assertEqual(row["values"], row["observed"])
        text = report.to_markdown(report.build(rows, "random", "random"))
        self.assertIn("2 problems, 4 runs", text)
        self.assertIn("| classics | 2 |", text)

    def test_goes_on_where_it_was_cut(self):
        self.mini_run()
        whole = {results.key_of(row): row["values"]
                 for row in results.read(self.out)}
        content = self.out.read_bytes()
        self.out.write_bytes(content[:-100])
        self.assertEqual(len(results.read(self.out)), 3)
        self.assertIn("1 runs to do", self.mini_run()[1])
        rows = results.read(self.out)
        self.assertEqual(len(rows), 4)
        self.assertEqual({results.key_of(row): row["values"] for row in rows},
                         whole)
        self.assertIn("0 runs to do", self.mini_run()[1])

    def bad_run(self, fault="pass", x1="2.0", limit="20"):
        script = self.folder / "engine.py"
        script.write_text(BAD_ENGINE.format(fault=fault, x1=x1),
                          encoding="utf-8")
        self.drive("--suite", "bbob-f01-d2", "--part", "any", "--seeds", "1",
                   "--trials", "4", "--answer-limit", limit, "--optimizers",
                   "bad", "--engine", f"bad={sys.executable} {script}")
        row, = results.read(self.out)
        return row

    def test_a_failure_is_recorded_with_what_came_before_it(self):
        cases = (("sys.exit()", "has ended"),
                 ('print(\'{"error": {"message": "sorry"}}\', flush=True)',
                  "ask: sorry"))
        for fault, message in cases:
            with self.subTest(message):
                self.out.unlink(missing_ok=True)
                row = self.bad_run(fault)
                self.assertIn(message, row["error"])
                self.assertEqual(len(row["values"]), 2)

    def test_an_optimizer_that_never_answers_is_given_up(self):
        row = self.bad_run("time.sleep(600)", limit="1")
        self.assertIn("no answer in 1 s", row["error"])

    def test_a_point_outside_the_space_ends_the_run(self):
        row = self.bad_run(x1="5.1")
        self.assertIn("outside the space", row["error"])

    def test_seeds_and_problems_of_one_part_do_not_mix(self):
        code, text = self.drive("--suite", "hartmann6", "--optimizers",
                                "random", "--seeds", "1")
        self.assertEqual(code, 2)
        self.assertIn("101-130", text)
        self.assertEqual(registry.select("hartmann6", problem.TUNING), [])


class FrontLimitsTest(unittest.TestCase):
    def test_more_points_miss_less_and_none_is_better_than_the_front(self):
        problem = front_problems.Bowls(3, 2, 5)
        losses = [limits.least_loss(problem, points) for points in (1, 4, 16)]
        self.assertGreater(losses[0], 2 * losses[1])
        self.assertGreater(losses[1], 2 * losses[2])
        rows = limits.dense_front(problem)
        self.assertAlmostEqual(problem.loss(rows), front_problems.SMALLEST_LOSS)
        # No four rows that are spread evenly do better than those that are chosen.
        spread = rows[np.linspace(0, len(rows) - 1, 6).astype(int)[1:-1]]
        self.assertLessEqual(losses[1], problem.loss(spread) + 1e-9)


if __name__ == "__main__":
    unittest.main()
