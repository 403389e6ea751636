"""Our sweeper for Hydra, and the distribution of both plugins."""

import os
import shutil
import subprocess
import sys
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from hydra_bed import CASES, CONFIG, PLUGIN, ROOT, SOURCES, HydraCase  # noqa: E402


class SweeperTest(HydraCase):
    def test_the_grammar(self):
        result = self.python("-m", "pytest", "-q", "-p", "no:cacheprovider",
                             os.path.join(CASES, "space_cases.py"))
        self.assertIn(" passed", result.stdout)

    def test_a_sweep_with_hydras_launcher(self):
        printed = self.sweep("x=interval(0,10)", "net=small,none",
                             "hydra.sweeper.n_trials=12", "hydra.sweeper.n_jobs=3")
        self.assertEqual(printed.count("Launching 3 jobs locally"), 4)
        results = self.results()
        self.assertEqual(results["name"], "vernier")
        self.assertLess(results["best_value"], 2)
        self.assertEqual(set(results["best_params"]), {"x", "net"})
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out/11/.hydra")))

    def test_a_grid_has_each_point_and_ends(self):
        self.sweep("x=range(1,5)", "net=small,none", "hydra.sweeper.n_trials=50",
                   "hydra.sweeper.algorithm=grid")
        self.assertEqual(self.ran(), [1, 1, 2, 2, 3, 3, 4, 4])
        self.assertEqual(self.results(), {
            "name": "vernier", "best_params": {"x": 3, "net": "none"}, "best_value": 0})

    def test_params_in_a_file_and_a_maximum(self):
        self.write("conf/config.yaml", CONFIG + """
hydra:
  sweeper:
    direction: maximize
    n_trials: 4
    algorithm: grid
    params: {x: "choice(1, 5, 7, 9)", net: none}
""")
        self.multirun("hydra/sweeper=vernier", "x=choice(1,5,7)")
        self.assertEqual(self.ran(), [1, 5, 7])  # The command line's counts.
        self.assertEqual(self.results()["best_params"], {"x": 7})

    def test_several_objectives(self):
        self.sweep("x=range(0,4)", "kind=pair", "hydra.sweeper.direction=[minimize,maximize]",
                   "hydra.sweeper.algorithm=grid")
        self.assertEqual(self.results()["solutions"],
                         [{"params": {"x": 0}, "values": [0, 10]}])
        self.sweep("x=range(0,4)", "kind=named", "hydra.sweeper.algorithm=grid",
                   "+hydra.sweeper.metrics={loss: minimize, size: minimize}")
        self.assertEqual(len(self.results()["solutions"]), 4)

    def test_failures(self):
        words = ("x=range(0,4)", "bad=[1,2]", "hydra.sweeper.algorithm=grid",
                 "hydra.sweeper.n_trials=4", "hydra.sweeper.n_jobs=1")
        self.assertIn("ValueError: x is 1", self.sweep(*words, check=False))
        self.assertEqual(self.ran(), [0, 1])
        self.sweep(*words, "hydra.sweeper.max_failure_rate=0.5")
        self.assertEqual(self.results()["best_params"], {"x": 3})

    def test_what_is_no_number_is_said(self):
        result = self.sweep("x=interval(0,1)", "kind=named", check=False)
        self.assertIn("no value of the metric 'value'", result)
        result = self.sweep("x=1", check=False)
        self.assertIn("nothing is searched", result)

    def test_a_reported_metric_with_our_launcher(self):
        self.sweep("x=range(1,5)", "kind=reported", "hydra.sweeper.algorithm=grid",
                   "hydra/launcher=vernier")
        self.assertEqual(self.results()["best_params"], {"x": 3})

    def test_an_interrupted_sweep_goes_on(self):
        words = ("hydra/sweeper=vernier", "x=interval(0,10)", "gated=true",
                 "hydra.sweeper.n_trials=6", "hydra.sweeper.study_name=basic")
        self.kill_when_running(self.begin(*words), 1)
        self.write("go", "")
        self.multirun(*words)
        # The one that was killed has run twice, since Hydra's launcher has it in its
        # own process.
        self.assertEqual(len(self.ran()), 7)
        self.assertEqual(len(set(self.ran())), 6)
        self.assertIn("The study has 6 trials that have ended", self.multirun(*words))
        self.multirun(*words, "hydra.sweeper.n_trials=8")
        self.assertEqual(len(set(self.ran())), 8)

    def test_jobs_of_a_sweep_whose_shell_was_killed_go_on(self):
        words = ("hydra/sweeper=vernier", "hydra/launcher=vernier", "x=interval(0,10)",
                 "gated=true", "hydra.sweeper.n_trials=5", "hydra.sweeper.n_jobs=2",
                 "hydra.sweeper.study_name=lost_sweep")
        self.kill_when_running(self.begin(*words), 2)
        self.write("go", "")
        self.multirun(*words)
        self.assertEqual(len(self.ran()), 5)  # None has run twice.
        self.assertEqual(len(set(self.ran())), 5)


class DistributionTest(HydraCase):
    def test_types_hold(self):
        result = self.python("-m", "mypy", "--config-file",
                             os.path.join(PLUGIN, "pyproject.toml"), "--python-version",
                             "3.9", "--cache-dir", os.path.join(self.folder, "cache"))
        self.assertIn("Success: no issues found", result.stdout)

    def test_no_syntax_is_newer_than_python_3_9(self):
        vermin = os.path.join(os.path.dirname(clients.python("typing")), "vermin")
        result = self.run_program(vermin, "--target=3.9-", "--eval-annotations",
                                  "--violations", SOURCES[1])
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_programs_start_without_what_only_a_multirun_needs(self):
        # Each Hydra program imports the plugins.
        printed = self.python("-c", "import sys\nfrom hydra.core.plugins import Plugins\n"
                              "Plugins.instance()\nprint('hydra_plugins.hydra_vernier.launcher'"
                              " in sys.modules, 'vernier_hpo' in sys.modules, "
                              "'cloudpickle' in sys.modules)").stdout
        self.assertEqual(printed, "True False False\n")

    def test_the_wheel(self):
        source = os.path.join(self.folder, "source")
        shutil.copytree(PLUGIN, source)
        subprocess.run([clients.python("packaging"), "-m", "pip", "wheel", "--quiet",
                        "--no-deps", "--no-build-isolation", "--wheel-dir", self.folder,
                        source], check=True, capture_output=True)
        (name,) = [each for each in os.listdir(self.folder) if each.endswith(".whl")]
        version = self.python("-c", "import vernier_hpo; print(vernier_hpo.__version__)")
        self.assertEqual(name, f"hydra_vernier-{version.stdout.strip()}-py3-none-any.whl")
        with zipfile.ZipFile(os.path.join(self.folder, name)) as wheel:
            names = wheel.namelist()
            metadata = wheel.read(next(
                each for each in names if each.endswith("METADATA"))).decode()
        self.assertIn("hydra_plugins/hydra_vernier/launcher.py", names)
        # A namespace of all plugins.
        self.assertNotIn("hydra_plugins/__init__.py", names)
        self.assertIn(f"Requires-Dist: vernier-hpo=={version.stdout.strip()}", metadata)
        # scripts/package makes the same.
        ours = os.path.join(self.folder, "ours")
        subprocess.run([sys.executable, os.path.join(ROOT, "python/build_wheel.py"),
                        "--plugins", "--out", ours], check=True, capture_output=True)
        with zipfile.ZipFile(os.path.join(ours, name)) as wheel:
            self.assertEqual(set(names) - set(wheel.namelist()),
                             {each for each in names if each.endswith("top_level.txt")})
            self.assertEqual(set(wheel.namelist()) - set(names), set())
            path = next(each for each in names if each.endswith("METADATA"))
            head, _, text = wheel.read(path).decode().partition("\n\n")
        their_head, _, their_text = metadata.partition("\n\n")
        self.assertEqual(text, their_text)
        self.assertEqual(sorted(head.splitlines()), sorted(
            each for each in their_head.splitlines() if each != "Dynamic: license-file"))


if __name__ == "__main__":
    unittest.main()
