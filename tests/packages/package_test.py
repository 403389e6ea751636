#!/usr/bin/python3
"""Installs the packages in build/packages/ on a bare Debian 12, and runs the hello
job there. scripts/check packages makes them and runs this; it needs root, and
the package mirror of this machine.
"""

import glob
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = os.path.join(ROOT, "build/packages")
sys.path.insert(0, os.path.join(ROOT, "scripts/lib"))

from bare_debian import Machine, run  # noqa: E402 (needs the path above)

HELLO = "usr/share/doc/vernier/examples/hello"


def package(pattern):
    found = glob.glob(os.path.join(PACKAGES, pattern))
    if len(found) != 1:
        raise unittest.SkipTest(f"there is no {pattern} in build/packages: scripts/package")
    return found[0]


def end_of(vernier):
    """What ends the user's service; a bare machine has no pkill."""
    return f"kill $({vernier} info --format 'value(processId)')"


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("debootstrap"),
                     "needs root and debootstrap")
class PackageTest(unittest.TestCase):
    def setUp(self):
        package("vernier_*.deb")  # Without packages there is nothing to try.
        self.machine = Machine()
        self.addCleanup(self.machine.close)

    def expect_hello(self, vernier, config):
        text = self.machine.as_somebody(
            f"{vernier} run --config {config} --name hello 2>&1; "
            f"{vernier} jobs describe hello --format 'value(state)'; {end_of(vernier)}")
        self.assertIn("SUCCEEDED", text)
        self.assertIn("Best trials of hello", text)

    def test_the_debian_package(self):
        path = self.machine.put(package("vernier_*.deb"))
        self.machine.install(path, "python3")
        self.assertTrue(self.machine.run("vernier", "version").startswith("vernier "))
        self.expect_hello("vernier", f"/{HELLO}/config.yaml")
        # Without what it recommends, it says what an option needs.
        self.assertIn("libcurl4", self.machine.as_somebody("vernier doctor"))
        refused = self.machine.as_somebody(
            "vernier serve --data-dir d --webhook http://127.0.0.1:1/ 2>&1 || true")
        self.assertIn("libcurl4", refused)
        listed = self.machine.run("dpkg", "-L", "vernier")
        for file in ("man1/vernier.1.gz", "man1/vernier-jobs-submit-training.1.gz",
                     "bash-completion/completions/vernier",
                     "systemd/system/vernier.service"):
            self.assertIn(file, listed)
        self.assertIn("vernier", self.machine.run("getent", "passwd", "vernier"))
        # Installed again, as by an upgrade; then removed: studies stay.
        self.machine.run("apt-get", "install", "-y", "-qq", "--reinstall", path)
        self.machine.run("apt-get", "purge", "-y", "-qq", "vernier")
        self.assertTrue(os.path.isdir(os.path.join(
            self.machine.root, "home/somebody/.local/share/vernier")))

    def test_the_units_are_valid(self):
        verify = shutil.which("systemd-analyze")
        if verify is None:
            self.skipTest("no systemd-analyze")
        self.machine.install(self.machine.put(package("vernier_*.deb")))
        done = subprocess.run(
            [verify, "verify", f"--root={self.machine.root}", "vernier.service"],
            capture_output=True, text=True, check=False)
        # It is no whole machine, so other units are missing.
        self.assertNotRegex(done.stderr, "Unknown|parse|ignoring|not executable")

    def test_the_tarball(self):
        self.machine.install("python3")
        path = self.machine.put(package("vernier-*-linux-*.tar.gz"), "opt")
        self.machine.run("tar", "-C", "/opt", "-xzf", path)
        folder = os.path.basename(path)[:-len(".tar.gz")]
        self.expect_hello(f"/opt/{folder}/bin/vernier",
                          f"/opt/{folder}/share/doc/vernier/examples/hello/config.yaml")

    def test_the_wheel(self):
        path = package("vernier_hpo-*.whl")
        self.machine.install("python3-venv")
        wheel = self.machine.put(path, "opt")
        text = self.machine.as_somebody(
            f"python3 -m venv v && v/bin/pip install -q --no-index {wheel} && "
            "v/bin/python -c 'import vernier_hpo as vn; "
            "s = vn.create_study({\"x\": vn.Float(0, 1)}, goal=\"minimize\", seed=1); "
            "s.optimize(lambda t: (t.params[\"x\"] - 0.3) ** 2, n_trials=20); "
            f"print(s.best_trial.value, len(s.trials))'; {end_of('v/bin/vernier')}")
        value, count = text.split()[-2:]
        self.assertLess(float(value), 0.01)
        self.assertEqual(count, "20")


@unittest.skipUnless(shutil.which("podman"), "needs podman")
class ImageTest(unittest.TestCase):
    # What this machine's kernel wants of a container without a network.
    FLAGS = ("--network=none", "--runtime=runc", "--ulimit=nofile=1024:1024",
             "--ulimit=nproc=1000:1000")
    JOB = {"jobId": "hello", "trainingInput": {
        "scaleTier": "BASIC", "region": "local", "hyperparameters": {
            "goal": "MAXIMIZE", "hyperparameterMetricTag": "score", "maxTrials": 4,
            "params": [{"parameterName": "x", "type": "DOUBLE", "minValue": 0,
                        "maxValue": 1}]}},
        "vernier": {"command": ["sh", "-c", "echo score=1"]}}

    def test_the_image_runs_a_job(self):
        loaded = run("podman", "load", "--quiet", "-i", package("vernier-*-image.tar"))
        image = loaded.split()[-1]
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            path = os.path.join(folder, "hello.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self.JOB, file)
            text = run("podman", "run", "--rm", *self.FLAGS, "-v", f"{folder}:/jobs:ro",
                       image, "run", "--config", "/jobs/hello.json", "--name", "hello")
        self.assertIn("Best trials of hello", text)


if __name__ == "__main__":
    print(f"on {platform.platform()}")
    unittest.main(verbosity=2)
