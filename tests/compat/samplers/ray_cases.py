"""What VernierSearch does for Ray Tune."""

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from ray import tune
from ray.tune.search import ConcurrencyLimiter, Searcher

import vernier_hpo as vn
from vernier_hpo.integration.ray import VernierSearch

SPACE = {"lr": tune.loguniform(1e-4, 1),
         "net": {"layers": tune.randint(1, 4), "act": tune.choice(["relu", None, [1, 2]])},
         "width": tune.qrandint(8, 64, 8), "drop": tune.quniform(0, 0.5, 0.25),
         "steps": tune.lograndint(1, 1000), "data": "digits"}


def loss_of(config):
    return ((config["lr"] - 0.01) ** 2 + config["net"]["layers"] + config["width"] / 64
            + (config["net"]["act"] is not None))


def search(space=None, **kwargs):
    """A searcher as the Tuner sets it up."""
    found = VernierSearch(seed=1, **kwargs)
    assert found.set_search_properties("loss", "min", space or SPACE)
    return found


def run(searcher, ids):
    """Trials one after the other; returns their configs."""
    configs = []
    for trial_id in ids:
        config = searcher.suggest(trial_id)
        configs.append(config)
        for i in (2, 1):
            searcher.on_trial_result(trial_id, {"loss": i * loss_of(config),
                                                "training_iteration": 3 - i})
        searcher.on_trial_complete(trial_id, {"loss": loss_of(config), "config": config})
    return configs


class SpaceTest(unittest.TestCase):
    def test_every_key_has_a_value_of_its_domain(self):
        for config in run(search(), map(str, range(12))):
            self.assertEqual(set(config), set(SPACE))
            self.assertEqual(set(config["net"]), {"layers", "act"})
            self.assertEqual(config["data"], "digits")
            self.assertIs(type(config["lr"]), float)
            self.assertTrue(1e-4 <= config["lr"] <= 1)
            self.assertIn(config["net"]["layers"], (1, 2, 3))  # The upper bound is not in.
            self.assertIn(config["net"]["act"], ("relu", None, [1, 2]))
            self.assertIn(config["width"], range(8, 65, 8))  # Here it is.
            self.assertIn(config["drop"], (0.0, 0.25, 0.5))
            self.assertTrue(1 <= config["steps"] < 1000)
            self.assertIs(type(config["steps"]), int)

    def test_bounds(self):
        for domain, values in ((tune.randint(0, 3), {0, 1, 2}),
                               (tune.qrandint(0, 3), {0, 1, 2, 3}),
                               (tune.qrandint(3, 10, 4), {4, 8}),
                               (tune.qlograndint(2, 6, 2), {2, 4, 6}),
                               (tune.qloguniform(0.5, 1.5, 0.5), {0.5, 1.0, 1.5}),
                               (tune.lograndint(1, 3), {1, 2})):
            searcher, found = search({"x": domain}), set()
            while (config := searcher.suggest(str(len(found)))) != Searcher.FINISHED:
                found.add(config["x"])
            self.assertEqual(found, values)

    def test_what_no_searcher_can_choose_is_refused_by_its_name(self):
        for domain, said in ((tune.grid_search([1, 2]), "net/x: grid_search"),
                             (tune.sample_from(lambda _: 1), "net/x: sample_from"),
                             (tune.randn(0, 1), "net/x: a normal distribution"),
                             (tune.qrandn(0, 1, 0.1), "net/x: a normal distribution")):
            with self.assertRaisesRegex(ValueError, said):
                VernierSearch({"net": {"x": domain}})
            with self.assertRaisesRegex(ValueError, said):
                search({"net": {"x": domain}})

    def test_a_space_of_our_own(self):
        space = {"kind": vn.Categorical(["sgd", None, True]), "lr": vn.Float(0.1, 1),
                 "momentum": vn.Float(0, 1, when={"kind": "sgd"}),
                 "batch": vn.Discrete([16, 32]), "n": 3}
        searcher = VernierSearch(space, metric="loss", mode="max", seed=1)
        self.assertTrue(searcher.set_search_properties(None, None, {"other": 1}))
        kinds = set()
        for i in range(10):
            config = searcher.suggest(str(i))
            searcher.on_trial_complete(str(i), {"loss": config["lr"]})
            self.assertEqual("momentum" in config, config["kind"] == "sgd")
            self.assertIn(config["batch"], (16, 32))
            self.assertEqual(config["n"], 3)
            kinds.add(config["kind"])
        self.assertLessEqual(kinds, {"sgd", None, True})
        self.assertFalse(searcher.set_search_properties("loss", "min", SPACE))
        with self.assertRaisesRegex(ValueError, "space with conditions"):
            search(space)

    def test_what_was_not_said_is_named(self):
        with self.assertRaisesRegex(ValueError, "no space to search"):
            VernierSearch(metric="loss", mode="min").suggest("a")
        with self.assertRaisesRegex(ValueError, "metric and mode are needed"):
            VernierSearch(SPACE).suggest("a")
        with self.assertRaisesRegex(ValueError, "obs"):
            VernierSearch(SPACE, metric=["a", "b"], mode=["min", "obs"])


class SearchTest(unittest.TestCase):
    def test_one_seed_gives_one_run_that_finds_the_best(self):
        configs = run(search(), map(str, range(20)))
        self.assertEqual(configs, run(search(), map(str, range(20))))
        self.assertLess(min(map(loss_of, configs)), 1.2)

    def test_first_points(self):
        flat = {"lr": 0.5, "net/layers": 3, "net/act": [1, 2], "width": 16, "drop": 0.0,
                "steps": 7}
        nested = {**SPACE, "lr": 0.25, "net": {"layers": 1, "act": None}, "width": 8,
                  "drop": 0.5, "steps": 9}
        configs = run(search(points_to_evaluate=[flat, nested]), "abc")
        self.assertEqual(configs[0], {"lr": 0.5, "net": {"layers": 3, "act": [1, 2]},
                                      "width": 16, "drop": 0.0, "steps": 7, "data": "digits"})
        self.assertEqual(configs[1], nested)
        for point, said in (({"lr": 0.5}, "missing"), ({**flat, "lr": 7}, "cannot be 7"),
                            ({**flat, "net/act": "tanh"}, "net/act cannot be 'tanh'")):
            with self.assertRaisesRegex(ValueError, said):
                search(points_to_evaluate=[point])

    def test_a_trial_that_failed_is_a_place_to_keep_away_from(self):
        searcher = search({"x": tune.uniform(0, 1), "y": tune.uniform(0, 1)})
        late = []
        for i in range(24):
            config = searcher.suggest(str(i))
            if config["x"] > 0.5:
                searcher.on_trial_result(str(i), {"loss": -config["x"]})
                searcher.on_trial_complete(str(i), None, error=True)
            else:
                searcher.on_trial_complete(str(i), {"loss": -config["x"]})
            late.append(config["x"])
        self.assertGreater(sum(x < 0.6 for x in late[12:]), 5, late)
        self.assertTrue(any(each.values is None for each in searcher._ends.values()))
        # NaN is no value, and says the same.
        searcher.suggest("nan")
        searcher.on_trial_complete("nan", {"loss": float("nan")})
        self.assertIsNone(searcher._ends["nan"].values)

    def test_trials_that_run_get_different_points(self):
        searcher = search()
        run(searcher, "abcd")
        configs = [json.dumps(searcher.suggest(str(i))) for i in range(6)]
        self.assertEqual(len(set(configs)), 6)

    def test_a_limiter_around_it(self):
        limited = ConcurrencyLimiter(VernierSearch(seed=1), max_concurrent=2)
        limited.set_search_properties("loss", "min", SPACE)
        first = limited.suggest("a")
        self.assertIsInstance(limited.suggest("b"), dict)
        self.assertIsNone(limited.suggest("c"))
        limited.on_trial_complete("a", {"loss": loss_of(first)})
        self.assertIsInstance(limited.suggest("c"), dict)

    def test_the_front_of_two_metrics(self):
        searcher = VernierSearch({"x": tune.uniform(0, 1), "y": tune.uniform(0, 1)},
                                 metric=["loss", "speed"], mode=["min", "max"], seed=1)
        ys = []
        for i in range(16):
            config = searcher.suggest(str(i))
            ys.append(config["y"])
            searcher.on_trial_complete(str(i), {"loss": config["x"] ** 2 + config["y"],
                                                "speed": config["x"] - config["y"]})
        self.assertLess(min(ys), 0.05)

    def test_trials_from_elsewhere(self):
        searcher = search({"x": tune.uniform(0, 1)})
        for i in range(8):
            searcher.add_evaluated_point({"x": i / 8}, (i / 8 - 0.5) ** 2)
        self.assertAlmostEqual(searcher.suggest("a")["x"], 0.5, delta=0.15)


class RestoreTest(unittest.TestCase):
    def setUp(self):
        self.path = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "state")

    def test_it_goes_on_as_if_it_had_never_ended(self):
        whole, first = search(), search()
        expected = run(whole, "abcdefghij")
        run(first, "abcdef")
        first.save(self.path)
        restored = VernierSearch()
        restored.restore(self.path)  # Ray says nothing more then.
        self.assertEqual(run(restored, "ghij"), expected[6:])
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["state"])

    def test_a_trial_that_ran_reports_from_the_start_again(self):
        first = search()
        run(first, "abcd")
        config = first.suggest("e")
        first.on_trial_result("e", {"loss": 5.0, "training_iteration": 1})
        first.save(self.path)
        restored = VernierSearch()
        restored.restore(self.path)
        restored.set_search_properties("loss", "min", SPACE)
        self.assertEqual(restored.suggest("e"), config)
        for _ in range(2):
            restored.on_trial_result("e", {"loss": 4.0, "training_iteration": 1})
            restored.on_trial_complete("e", {"loss": 3.0})
        self.assertEqual(list(restored._ends["e"].values), [3.0])
        self.assertEqual(len(restored._ends), 5)

    def test_a_trial_that_was_started_after_the_state_was_saved(self):
        first = search()
        run(first, "abcd")
        first.save(self.path)
        config = first.suggest("e")
        restored = search()
        restored.restore(self.path)
        restored.on_trial_result("e", {"loss": 4.0, "config": config})
        restored.on_trial_complete("e", {"loss": 3.0, "config": config})
        self.assertEqual(list(restored._ends["e"].values), [3.0])
        restored.on_trial_complete("f", None)  # Nothing is known of it.
        self.assertNotIn("f", restored._ends)

    def test_another_space_is_refused(self):
        first = search()
        run(first, "ab")
        first.save(self.path)
        restored = search({"x": tune.uniform(0, 1)})
        restored.restore(self.path)
        with self.assertRaisesRegex(ValueError, "not the one with which"):
            restored.suggest("c")
        with open(self.path, "wb") as file:
            pickle.dump({"format": 7}, file)
        with self.assertRaisesRegex(ValueError, "its format is 7"):
            restored.restore(self.path)

    def test_a_copy_has_a_process_of_its_own(self):
        first = search()
        run(first, "abcd")
        copy = pickle.loads(pickle.dumps(first))
        self.assertEqual(copy.suggest("e"), first.suggest("e"))


# A run of trials that note that they began. The third waits for a file.
PROGRAM = """
import os, sys, time
from ray import tune
from vernier_hpo.integration.ray import VernierSearch

folder = sys.argv[1]

def objective(config):
    with open(os.path.join(folder, "begun"), "a") as file:
        file.write(tune.get_context().get_trial_id() + "\\n")
    with open(os.path.join(folder, "begun")) as file:
        count = len(file.readlines())
    for step in (1, 2):
        tune.report({"loss": (config["x"] - 0.3) ** 2 + 1 / step})
        while count == 3 and not os.path.exists(os.path.join(folder, "go")):
            time.sleep(0.1)

path = os.path.join(folder, "results", "run")
if tune.Tuner.can_restore(path):
    tuner = tune.Tuner.restore(path, objective)
else:
    tuner = tune.Tuner(
        objective, param_space={"x": tune.uniform(0, 1)},
        tune_config=tune.TuneConfig(metric="loss", mode="min", num_samples=5,
                                    max_concurrent_trials=1, search_alg=VernierSearch(seed=1)),
        run_config=tune.RunConfig(storage_path=os.path.join(folder, "results"), name="run",
                                  verbose=0))
results = tuner.fit()
print("LOSSES", [result.metrics["loss"] for result in results])
print("XS", [result.config["x"] for result in results])
"""


class RayTest(unittest.TestCase):
    """The real Ray, with processes of its own."""

    def start(self, folder):
        """The program, which goes on with what it finds in the folder."""
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, folder], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env={**os.environ, "TUNE_GLOBAL_CHECKPOINT_S": "0.2",
                 "RAY_CHDIR_TO_TRIAL_DIR": "0"})

    @staticmethod
    def lines(path):
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().split()

    def test_a_run_that_was_killed_goes_on(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            begun = os.path.join(folder, "begun")
            killed = self.start(folder)
            deadline = time.monotonic() + 300
            while len(self.lines(begun)) < 3:
                if killed.poll() is not None:
                    self.fail(killed.stdout.read())
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.2)
            time.sleep(5)  # The third trial's report, and a snapshot of the run.
            os.killpg(killed.pid, signal.SIGKILL)
            killed.wait()
            killed.stdout.close()
            with open(os.path.join(folder, "go"), "w", encoding="utf-8"):
                pass  # The third trial may end.
            restored = self.start(folder)
            printed, _ = restored.communicate(timeout=400)
            self.assertEqual(restored.returncode, 0, printed[-5000:])
            ids = self.lines(begun)
            losses = json.loads(printed.split("LOSSES ")[1].splitlines()[0])
            xs = json.loads(printed.split("XS ")[1].splitlines()[0])
        # The trial that ran was run again, under its name.
        self.assertEqual(len(losses), 5, printed[-5000:])
        self.assertEqual(len(set(ids)), 5, ids)
        self.assertEqual(ids[2], ids[3])
        # And the points are those of a run that was never killed; Ray lists what was
        # restored in another order.
        whole = search({"x": tune.uniform(0, 1)})
        expected = []
        for i in range(5):
            x = whole.suggest(str(i))["x"]
            whole.on_trial_complete(str(i), {"loss": (x - 0.3) ** 2 + 0.5})
            expected.append(x)
        self.assertEqual(sorted(xs), sorted(expected))


if __name__ == "__main__":
    unittest.main()
