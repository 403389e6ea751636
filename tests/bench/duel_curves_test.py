"""Tests of the duel of trainings that may be stopped: problems, clock, players."""

import contextlib
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "duel" / "curves"))

# The path above comes first.
import families  # noqa: E402
import numpy as np  # noqa: E402
import players  # noqa: E402
import problems  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402

# Answers as `vernier suggest` does, and writes down what it was asked.
RECORDER = """
import json, sys
count = 0
for line in sys.stdin:
    request = json.loads(line)
    print(line, end="", file=open(sys.argv[1], "a"))
    if request["op"] == "ask":
        count += 1
        print(json.dumps({"trials": [{"id": count, "parameters": {"x": 1}}]}))
    else:
        print(json.dumps({"ok": True, "stop": False}))
    sys.stdout.flush()
"""


class FourEpochs:
    """Trial 1 ends at 5, 2 at 4, and so on; the odd ones take twice as long."""

    epochs = 4
    parameters = ()

    def curve(self, number):
        return [9.0, 8.0, 7.0, 6.0 - number]

    def end(self, number):
        return self.curve(number)[-1]

    def epoch_seconds(self, number):
        return 2.0 if number % 2 else 1.0

    def median_seconds(self):
        return 6.0


class Player:
    """Stops every third trial after its second epoch."""

    def __init__(self):
        self.asked = []
        self.told = []
        self.cut_short = []

    def ask(self, left):
        self.asked.append(left)
        return len(self.asked), len(self.asked)

    def report(self, trial, step, value):
        return trial % 3 == 0 and step == 2

    def tell(self, trial, value, seconds):
        self.told.append((trial, value, seconds))

    def stopped(self, trial):
        self.cut_short.append(trial)


@contextlib.contextmanager
def recorded(name):
    """A player with a program that writes its requests into a log; both."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "recorder.py")
        script.write_text(RECORDER)
        log = pathlib.Path(folder, "log")
        command = [sys.executable, str(script), str(log)]
        yield players.make_player(name, FourEpochs(), 7, command), log


class PlayTest(unittest.TestCase):
    def test_an_epoch_is_the_unit_of_the_budget(self):
        player = Player()
        row = run.play(FourEpochs(), player, 1)
        # Of three trials, two take four epochs and the third two: 12 rounds.
        self.assertEqual(row["trials"], 37)
        self.assertEqual(row["stops"], 12)
        self.assertEqual(len(row["finals"]), 24)
        self.assertEqual(row["finals"][0], [4 / 120, 5.0])
        self.assertEqual(row["finals"][-1][0], 118 / 120)
        # Each one would have been better than all before it.
        self.assertEqual(len(row["wrong"]), 12)
        self.assertEqual(row["wrong"][0], [10 / 120, 3.0])
        # Trial 36 was stopped, and 37 never came to its end.
        self.assertTrue(report.lost_its_best(row))
        row["finals"].append([1, 6.0 - 37])
        self.assertFalse(report.lost_its_best(row))

    def test_by_seconds_a_dear_training_takes_more_of_it(self):
        player = Player()
        row = run.play(FourEpochs(), player, 1, by_seconds=True)
        # Of six trials in a row: 8, 4, 4 (stopped), 4, 8 and 2 (stopped).
        self.assertEqual(row["finals"][0], [8 / 180, 5.0])
        self.assertEqual(row["finals"][1], [12 / 180, 4.0])
        self.assertEqual(player.told[:2], [(1, 5.0, 8.0), (2, 4.0, 4.0)])
        self.assertEqual(player.asked[:3], [1.0, 1 - 8 / 180, 1 - 12 / 180])
        self.assertEqual(row["trials"], 37)

    def test_workers_share_the_budget(self):
        row = run.play(FourEpochs(), Player(), 4)
        self.assertEqual(row["trials"], 75)
        # The first four trainings end side by side, but for the third.
        self.assertEqual([f[1] for f in row["finals"][:3]], [5.0, 4.0, 2.0])


    def test_by_trials_a_stop_saves_epochs_and_costs_a_trial(self):
        row = run.play(FourEpochs(), Player(), 1, trials=6)
        self.assertEqual(row["trials"], 6)
        self.assertEqual(row["stops"], 2)
        self.assertEqual(row["at_first"], 0)
        self.assertEqual(row["best_stopped"], 1, "of the three that would end best")
        self.assertEqual(row["spent"], 4 * 4 + 2 * 2)
        self.assertEqual([f[0] for f in row["finals"]], [1 / 6, 2 / 6, 4 / 6, 5 / 6])

    def test_by_trials_workers_end_what_they_began(self):
        row = run.play(FourEpochs(), Player(), 4, trials=6)
        self.assertEqual(row["trials"], 6)
        self.assertEqual(len(row["finals"]) + row["stops"], 6)


class ShortProblemTest(unittest.TestCase):
    def test_noise_is_in_what_is_reported_and_not_in_the_regret(self):
        for kind, noise in problems.ShortProblem.KINDS.items():
            problem = problems.ShortProblem(kind, 1)
            errors = []
            for place in np.random.default_rng(3).random((40, 3)):
                values = families.to_values(problem.parameters, place)
                errors.append(problem.curve(values)[-1] - problem.end(values))
            self.assertAlmostEqual(
                float(np.std(errors)), noise, delta=0.3 * noise + 1e-9
            )


class ChanceProblemTest(unittest.TestCase):
    def curves(self, kind, number=1, count=300):
        """The end without noise, and the curve, of random configurations."""
        problem = problems.ChanceProblem(kind, number)
        for place in np.random.default_rng(5).random((count, 6)):
            values = families.to_values(problem.parameters, place)
            yield problem.end(values), problem.curve(values)

    def test_most_networks_never_learn(self):
        for kind in problems.ChanceProblem.KINDS:
            for number in (1, 2, 3):
                ends = [end for end, _ in self.curves(kind, number)]
                never = sum(end == 0.9 for end in ends) / len(ends)
                self.assertGreater(never, 0.6, (kind, number))
                self.assertLess(never, 0.8, (kind, number))
                self.assertLess(min(ends), 0.3, (kind, number))

    def test_curves_lead_to_their_ends(self):
        for kind in problems.ChanceProblem.KINDS:
            noise = 0.05 if kind == "noisy" else 0.005
            for end, curve in self.curves(kind):
                self.assertAlmostEqual(curve[-1], end, delta=noise)

    def test_each_kind_is_what_its_name_says(self):
        def began_after(kind):
            """The epochs until each of those that learn is below 0.8."""
            return [
                int(np.argmax(curve < 0.8))
                for end, curve in self.curves(kind)
                if end < 0.7
            ]

        self.assertLess(max(began_after("sharp")), 6)
        self.assertGreater(max(began_after("late")), 8)
        fell_back = [
            curve for end, curve in self.curves("collapse") if end == 0.9 and min(curve) < 0.7
        ]
        self.assertTrue(fell_back)


class CrudeTest(unittest.TestCase):
    def stops(self, name, curve):
        """The step at which a training is stopped after one that fell 4, 3, 2, 1."""
        with recorded(name) as (player, _):
            first, _ = player.ask(1)
            for step, value in enumerate((4.0, 3.0, 2.0, 1.0), 1):
                self.assertFalse(player.report(first, step, value))
            player.tell(first, 1.0, 4.0)
            trial, _ = player.ask(1)
            stopped = None
            for step, value in enumerate(curve, 1):
                if player.report(trial, step, value):
                    stopped = step
                    break
            player.stopped(trial)
            player.close()
            return stopped

    def test_what_is_behind_the_best_training_is_stopped(self):
        self.assertEqual(self.stops("crude:always", (5.0,)), 1)
        self.assertEqual(self.stops("crude:always", (3.5, 3.5)), 2)
        self.assertIsNone(self.stops("crude:always", (3.5, 2.5, 1.5, 0.5)))
        self.assertEqual(self.stops("crude:once", (5.0,)), 1)
        self.assertIsNone(self.stops("crude:once", (3.5, 3.5)))


class VernierTest(unittest.TestCase):
    def requests(self, name):
        with recorded(name) as (player, log):
            trial, _ = player.ask(0.25)
            player.report(trial, 1, 3.0)
            player.tell(trial, 2.0, 8.0)
            player.close()
            return [json.loads(line) for line in log.read_text().splitlines()]

    def test_a_name_says_the_rule_and_what_time_is(self):
        create, ask, report, tell = self.requests("vernier:decay-curve/budget")
        self.assertEqual(create["earlyStopping"], "DECAY_CURVE")
        self.assertNotIn("objective", create)
        self.assertEqual(ask, {"op": "ask", "budgetLeft": 0.25})
        self.assertEqual(report["step"], 1)
        self.assertEqual(tell["duration"], 8.0)
        create, ask, tell = self.requests("vernier/cost")
        self.assertNotIn("earlyStopping", create)
        self.assertEqual(create["objective"], {"perCost": True})
        self.assertEqual(ask, {"op": "ask"})
        for wrong in ("vernier/bugdet", "optuna:hyperband/cost", "told:auto/cost"):
            with self.assertRaises(ValueError, msg=wrong):
                players.make_player(wrong, FourEpochs(), 7, [])


class NetworkProblemTest(unittest.TestCase):
    def test_curves_end_at_the_values_that_regret_is_of(self):
        names = [p.name for p in problems.chosen("torch")]
        self.assertEqual(len(names), 8)
        rng = np.random.default_rng(3)
        for problem in problems.chosen("torch"):
            points = families.reachable(problem.parameters, rng.random((50, len(problem.parameters))))
            curves = np.array([problem.curve_at(point) for point in points])
            self.assertEqual(curves.shape, (50, problem.epochs))
            self.assertTrue((curves > 0).all() and np.isfinite(curves).all())
            np.testing.assert_allclose(curves[:, -1], problem.finals_at(points))
            # They go down, and not smoothly.
            self.assertGreater(np.median(curves[:, 0] / curves[:, -1]), 1)
            changes = np.diff(np.log(curves), axis=1)
            self.assertTrue((changes > 0).any())
            self.assertTrue((np.array([problem.decades(c[-1]) for c in curves]) <= 0).all())

    def test_a_category_is_one_of_three_columns(self):
        problem = problems.chosen("torch-tuning-perceptron")[0]
        unit = np.full((1, len(problem.parameters)), 0.4)
        ends = set()
        for place in (1 / 6, 3 / 6, 5 / 6):
            unit[0, -1] = place
            inputs = families.surrogate_inputs(problem.parameters, unit)
            self.assertEqual(inputs[0, -3:].sum(), 1)
            ends.add(round(problem.finals_at(unit)[0], 6))
        self.assertEqual(len(ends), 3)

    def test_surrogates_predict_what_they_did_not_see(self):
        table = np.load(problems.NETWORK_CURVES)
        for name in families.TORCH_NETWORKS:
            explained, rank, _ = table[f"{name}/quality"]
            self.assertGreater(explained, 0.75, name)
            self.assertGreater(rank, 0.93, name)


class RecordNetworksTest(unittest.TestCase):
    """What fills networks.npz, on this machine's processor and but a little."""

    @classmethod
    def setUpClass(cls):
        try:
            import record_networks
            import torch
        except ImportError as error:
            raise unittest.SkipTest(str(error))
        cls.torch = torch
        cls.record = record_networks

    def test_rates_warm_up_and_fall_by_their_schedule(self):
        tensor = self.torch.tensor
        hyper = {"rate": tensor([1.0, 1.0, 1.0]), "warmup": tensor([0.0, 0.0, 0.5])}
        schedule = tensor([0, 1, 2])
        rates = lambda share: self.record.rates(hyper, schedule, share).tolist()
        np.testing.assert_allclose(rates(0.25)[:2], [1, 0.853553], rtol=1e-4)
        self.assertAlmostEqual(rates(0.25)[2], 0.5, delta=0.01)
        np.testing.assert_allclose(rates(0.6), [1, 0.345492, 0.1], rtol=1e-4)
        np.testing.assert_allclose(rates(0.8), [1, 0.095492, 0.01], rtol=1e-4)

    def test_networks_learn_each_with_its_own_parameters(self):
        name = "torch-tuning-perceptron-digits"
        family = families.TORCH_NETWORKS[name]
        task = self.record.data_of(name, "cpu")
        places = np.full((3, len(family.parameters)), 0.5)
        places[:, 3] = 0  # No dropout.
        places[1, 0] = 0  # A rate of 0.001 learns next to nothing.
        curves = self.record.curves_of(task, family, places, "cpu")
        self.assertEqual(curves.shape, (3, family.epochs))
        self.assertLess(curves[0, -1], 0.5)
        self.assertGreater(curves[1, -1], 2 * curves[0, -1])
        # Places alike begin at other weights.
        self.assertNotEqual(curves[0, -1], curves[2, -1])
        self.assertAlmostEqual(curves[0, -1], curves[2, -1], delta=0.2)


if __name__ == "__main__":
    unittest.main()
