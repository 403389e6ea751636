#!/usr/bin/python3
"""Installs the packages in build/packages/ on a bare Debian 11, 12 and 13, and runs the
hello job there. scripts/check packages makes them and runs this; it needs root, and
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
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = os.environ.get("VERNIER_PACKAGE_OUT") or os.path.join(ROOT, "build/packages")
BINARY = os.path.realpath(
    os.environ.get("VERNIER_BINARY") or os.path.join(ROOT, "build/release/vernier"))
sys.path.insert(0, os.path.join(ROOT, "scripts/lib"))

from bare_debian import Machine, run  # noqa: E402 (needs the path above)

HELLO = "usr/share/doc/vernier/examples/hello"
JOB = {"jobId": "hello", "trainingInput": {
    "scaleTier": "BASIC", "region": "local", "hyperparameters": {
        "goal": "MAXIMIZE", "hyperparameterMetricTag": "score", "maxTrials": 4,
        "params": [{"parameterName": "x", "type": "DOUBLE", "minValue": 0,
                    "maxValue": 1}]}},
    "vernier": {"command": ["sh", "-c", "echo score=1"]}}
JOB_IN_CONTAINER = {**JOB, "trainingInput": {
    **JOB["trainingInput"], "masterConfig": {"imageUri": "localhost/tiny"}}}


# Names of processors: Linux's, and Debian's.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


def package(pattern):
    found = glob.glob(os.path.join(PACKAGES, pattern))
    if len(found) != 1:
        raise unittest.SkipTest(f"there is no {pattern} in build/packages: scripts/package")
    return found[0]


def end_of(vernier):
    """What ends the user's service; a bare machine has no pkill."""
    return f"kill $({vernier} info --format 'value(processId)')"


# A loop of one's own, whose answers depend on nothing but its lines.
SUGGEST = [{"op": "create", "seed": 7, "hyperparameters": {"goal": "MINIMIZE", "params": [
    {"parameterName": "x", "type": "DOUBLE", "minValue": 0, "maxValue": 1},
    {"parameterName": "k", "type": "INTEGER", "minValue": 1, "maxValue": 9}]}}]
for _trial in range(1, 25):
    SUGGEST += [{"op": "ask"}, {"op": "tell", "id": _trial, "value": (_trial * 7 % 11) / 10}]
SUGGEST += [{"op": "best"}]

FIVE_LINES = """
import vernier_hpo as vn
study = vn.create_study({"x": vn.Float(0, 1)}, goal="minimize", seed=1)
study.optimize(lambda trial: (trial.params["x"] - 0.3) ** 2, n_trials=10)
print(study.best_trial.value, len(study.trials))
"""
# From an empty environment to the tenth trial.
MOST_SECONDS = 60


class BareDebianCase:
    """The packages on one bare release."""

    release = ""
    processor = platform.machine()
    most_seconds = MOST_SECONDS

    def setUp(self):
        self.package("deb")  # Without packages there is nothing to try.
        self.machine = self.make_machine()
        self.addCleanup(self.machine.close)

    def make_machine(self):
        return Machine(self.release)

    def package(self, kind):
        """The one for this processor: the folder may have those for others, too."""
        return package({
            "deb": f"vernier_*_{DEBIAN[self.processor]}.deb",
            "tarball": f"vernier-*-linux-{self.processor}.tar.gz",
            "wheel": f"vernier_hpo-*-manylinux*_{self.processor}.whl"}[kind])

    def expect_hello(self, vernier, config):
        # The default algorithm needs NLopt, which is there or came along.
        text = self.machine.as_somebody(
            f"{vernier} doctor; {vernier} run --config {config} --name hello 2>&1; "
            f"{vernier} jobs describe hello --format 'value(state)'; {end_of(vernier)}")
        self.assertRegex(text, r"libnlopt.so.0 +good")
        self.assertIn("SUCCEEDED", text)
        self.assertIn("Best trials of hello", text)

    def expect_same_suggestions(self, vernier):
        here, there = self.suggestions(vernier)
        self.assertEqual(there, here)

    def suggestions(self, vernier):
        """What this machine suggests, and what that one does."""
        lines = "".join(json.dumps(line) + "\n" for line in SUGGEST)
        here = subprocess.run([BINARY, "suggest"], input=lines, check=True, text=True,
                              stdout=subprocess.PIPE, timeout=300).stdout
        self.machine.write("root/lines", lines)
        there = self.machine.run("sh", "-c", f"{vernier} suggest </root/lines")
        self.assertEqual(len(here.splitlines()), len(SUGGEST))
        self.assertNotIn("error", here)
        return here, there

    def test_the_debian_package(self):
        path = self.machine.put(self.package("deb"))
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

    def test_the_tarball(self):
        self.machine.install("python3")
        path = self.machine.put(self.package("tarball"), "opt")
        self.machine.run("tar", "-C", "/opt", "-xzf", path)
        folder = f"/opt/{os.path.basename(path)[:-len('.tar.gz')]}"
        vernier = folder + "/bin/vernier"
        # Every name that it asks for is there, not only those that it comes to call.
        self.machine.run("env", "LD_BIND_NOW=1", vernier, "version")
        self.expect_hello(vernier, f"{folder}/share/doc/vernier/examples/hello/config.yaml")
        self.expect_same_suggestions(vernier)
        completed = self.machine.run("bash", "-c", (
            f"PATH={folder}/bin:$PATH; . {folder}/share/bash-completion/completions/vernier; "
            "COMP_WORDS=(vernier jobs des); COMP_CWORD=2; COMP_LINE='vernier jobs des'; "
            "COMP_POINT=16; $(complete -p vernier | sed 's/.*-F \\([^ ]*\\).*/\\1/') "
            "vernier des jobs; echo ${COMPREPLY[@]}"))
        self.assertIn("describe", completed)

    def test_the_wheel(self):
        begin = time.monotonic()
        self.machine.install("python3-venv")
        wheel = self.machine.put(self.package("wheel"), "opt")
        installed = time.monotonic()
        text = self.machine.as_somebody(
            f"python3 -m venv v && v/bin/pip install -q --no-index {wheel} && "
            f"v/bin/python -c '{FIVE_LINES}'; v/bin/vernier doctor; {end_of('v/bin/vernier')}")
        end = time.monotonic()
        value, count = text.partition("\nSUBJECT")[0].split()
        self.assertLess(float(value), 0.01)
        self.assertEqual(count, "10")
        self.assertRegex(text, r"libnlopt.so.0 +good")
        print(f"\n{self.release}: {end - installed:.0f} s from the wheel to the tenth trial, "
              f"{end - begin:.0f} s with Debian's python3-venv", file=sys.stderr)
        self.assertLess(end - installed, self.most_seconds)


class ContainerCase(BareDebianCase):
    """These, and a job in a container."""

    def test_a_job_in_a_container(self):
        self.machine.install(self.machine.put(self.package("deb")), "podman", "runc",
                             "busybox-static")
        # A folder of the machine cannot be overlaid where it is one itself.
        self.machine.write("etc/containers/storage.conf", '[storage]\ndriver = "vfs"\n'
                           'graphroot = "/root/images"\nrunroot = "/run/images"\n')
        # Nor is there a systemd, which older podmans ask for cgroups.
        self.machine.write("etc/containers/containers.conf",
                           '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n')
        self.machine.write("root/hello.json", json.dumps(JOB_IN_CONTAINER))
        text = self.machine.run("sh", "-c", (
            "mkdir -p /root/image/bin && cp /bin/busybox /root/image/bin/sh && "
            "tar -C /root/image -cf - . | podman import -q - localhost/tiny >/dev/null && "
            "vernier run --config /root/hello.json --name hello 2>&1; vernier why hello; "
            "cat /root/.local/share/vernier/containers/engine.json"))
        self.assertIn("Best trials of hello", text)
        # The probe: what runs containers here, and how.
        self.assertRegex(text, r'"path": *"/usr/bin/podman"')


BARE = unittest.skipUnless(os.geteuid() == 0 and shutil.which("debootstrap"),
                           "needs root and debootstrap")


@BARE
class Debian11Test(ContainerCase, unittest.TestCase):
    release = "bullseye"


@BARE
class Debian12Test(ContainerCase, unittest.TestCase):
    release = "bookworm"

    def test_the_units_are_valid(self):
        verify = shutil.which("systemd-analyze")
        if verify is None:
            self.skipTest("no systemd-analyze")
        self.machine.install(self.machine.put(self.package("deb")))
        done = subprocess.run(
            [verify, "verify", f"--root={self.machine.root}", "vernier.service"],
            capture_output=True, text=True, check=False)
        # It is no whole machine, so other units are missing.
        self.assertNotRegex(done.stderr, "Unknown|parse|ignoring|not executable")


@BARE
class Debian13Test(ContainerCase, unittest.TestCase):
    release = "trixie"


@unittest.skipUnless(shutil.which("podman"), "needs podman")
class ImageTest(unittest.TestCase):
    # What this machine's kernel wants of a container without a network.
    FLAGS = ("--network=none", "--runtime=runc", "--ulimit=nofile=1024:1024",
             "--ulimit=nproc=1000:1000")
    def test_the_image_runs_a_job(self):
        loaded = run("podman", "load", "--quiet", "-i", package("vernier-*-image.tar"))
        image = loaded.split()[-1]
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            path = os.path.join(folder, "hello.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(JOB, file)
            text = run("podman", "run", "--rm", *self.FLAGS, "-v", f"{folder}:/jobs:ro",
                       image, "run", "--config", "/jobs/hello.json", "--name", "hello")
        self.assertIn("Best trials of hello", text)


if __name__ == "__main__":
    print(f"on {platform.platform()}")
    unittest.main(verbosity=2)
