"""Our engine in the searches of others: Optuna's studies and Ray Tune's runs."""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import ROOT, binary  # noqa: E402

SOURCES = os.path.join(ROOT, "python", "src")
HUB = os.path.join(ROOT, "python", "optunahub")


def run(client, *args):
    """What a program of the environment `client` prints; fails unless it ends well."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("VERNIER_")}
    result = subprocess.run(
        [clients.python(client), *args], check=False, timeout=900, text=True,
        cwd=os.path.join(ROOT, "tests", "compat", "samplers"), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**kept, "VERNIER_BINARY": binary(), "PYTHONPATH": SOURCES,
             "PYTHONDONTWRITEBYTECODE": "1", "RAY_USAGE_STATS_ENABLED": "0"})
    if result.returncode != 0:
        raise AssertionError(f"ended with {result.returncode}:\n{result.stdout[-6000:]}")
    return result.stdout


class SamplersTest(unittest.TestCase):
    def test_the_sampler_passes_optunas_own_tests(self):
        printed = run("optunahub", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                      os.path.join(HUB, "samplers", "vernier", "tests"))
        self.assertGreaterEqual(int(re.search(r"(\d+) passed", printed)[1]), 126, printed)

    def test_the_sampler_in_optuna_5(self):
        self.assertIn("\nOK", run("optunahub", "-m", "unittest", "optuna_cases"))

    def test_the_sampler_in_optuna_4(self):
        self.assertIn("\nOK", run("optuna", "-m", "unittest", "optuna_cases"))

    def test_the_package_is_as_the_registry_wants_it(self):
        folder = os.path.join(HUB, "samplers", "vernier")
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            head, text = file.read().removeprefix("---\n").split("\n---\n", 1)
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        self.assertEqual(set(fields), {"author", "title", "description", "tags",
                                       "optuna_versions", "license"})
        self.assertIn("sampler", fields["tags"])
        self.assertEqual(fields["license"], "MIT License")
        for title in ("Abstract", "APIs", "Installation", "Example"):
            self.assertIn(f"\n## {title}\n", text)
        # These are the releases that the tests above have.
        for name in ("optuna", "optunahub"):
            pinned = clients.REQUIREMENTS[name][0].removeprefix("optuna==")
            self.assertIn(pinned, fields["optuna_versions"])
        for name in ("__init__.py", "LICENSE", "example.py", "requirements.txt"):
            self.assertTrue(os.path.exists(os.path.join(folder, name)), name)

    def test_the_example_of_the_package(self):
        # As it stands, but for the registry, which is a folder here.
        with open(os.path.join(HUB, "samplers", "vernier", "example.py"),
                  encoding="utf-8") as file:
            text = file.read()
        program = text.replace(
            'load_module(package="samplers/vernier")',
            f'load_local_module(package="samplers/vernier", registry_root={HUB!r})').replace(
                "sqlite:///example.db", "sqlite://")
        self.assertNotEqual(program, text)
        self.assertIn("'kind': 'gated'", run("optunahub", "-c", program))

    def test_the_searcher_in_ray(self):
        self.assertIn("\nOK", run("ray", "-m", "unittest", "ray_cases"))


if __name__ == "__main__":
    unittest.main()
