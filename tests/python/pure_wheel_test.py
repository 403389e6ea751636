"""The wheel without the service: for macOS and Windows, as a client of one elsewhere."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from package import ServiceCase, binary
from wheel_test import PROJECT, Environment, build, metadata_of, names_in

# What Windows has not, and its name; macOS lacks less.
WINDOWS = """
import asyncio, ctypes, multiprocessing, os, signal, subprocess, sys, tempfile, uuid
sys.modules["pwd"] = None
for name in ("register_at_fork", "fork", "getuid", "geteuid", "O_CLOEXEC", "execv"):
    delattr(os, name)
sys.platform = "win32"
"""
ASK_AND_TELL = """
import vernier_hpo as vn
study = vn.create_study({"x": vn.Float(0, 1)}, goal="minimize", seed=1)
study.optimize(lambda trial: (trial.params["x"] - 0.3) ** 2, n_trials=12)
print(len(study.trials), study.best_value < 0.05)
"""
START = """
import vernier_hpo as vn
try:
    vn.create_study({"x": vn.Float(0, 1)})
except vn.FailedPreconditionError as error:
    print(error)
"""


def build_pure(folder):
    return subprocess.run(
        [sys.executable, os.path.join(PROJECT, "build_wheel.py"), "--out", folder],
        check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


class PureWheelTest(ServiceCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="vernier-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.wheels = os.path.join(cls.folder, "wheels")
        cls.pure = build_pure(cls.wheels)
        # A program that says the right version is a hundred times smaller.
        program = os.path.join(cls.folder, "program")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho vernier {metadata_of(cls.pure)['Version']}\n")
        os.chmod(program, 0o755)
        cls.full = build(cls.wheels, program)
        cls.installed = Environment(os.path.join(cls.folder, "environment"), cls.pure)

    def python(self, code, **environment):
        return subprocess.run(
            [self.installed.program("python"), "-c", code], check=True, text=True,
            stdout=subprocess.PIPE, cwd=self.folder,
            env={"PATH": "/usr/bin:/bin", "HOME": self.folder, **environment}).stdout

    def of_service(self):
        return {"VERNIER_ENDPOINT": self.service.json("info")["httpUrl"],
                "VERNIER_TOKEN": self.service.cli(
                    "tokens", "create", "--scope", "project-write", "--project",
                    "default").stdout.strip()}

    def test_it_is_the_same_package_without_the_programs(self):
        names = set(names_in(self.full))
        self.assertEqual(names - set(names_in(self.pure)), {
            name for name in names if name.startswith("vernier_hpo/_bin/")})
        self.assertEqual(str(metadata_of(self.pure)), str(metadata_of(self.full)))

    def test_it_calls_a_service_elsewhere(self):
        for system in ("", WINDOWS):
            with self.subTest(bool(system)):
                self.assertEqual(self.python(system + ASK_AND_TELL, **self.of_service()),
                                 "12 True\n")

    def test_it_says_where_a_service_can_be(self):
        said = self.python(WINDOWS + START)
        self.assertIn("run on Linux only, and here the package calls one elsewhere: a service "
                      "elsewhere is named by endpoint=", said)
        self.assertIn("there is no vernier program", self.python(START))
        done = subprocess.run([self.installed.program("vernier"), "info"], check=False,
                              text=True, stderr=subprocess.PIPE, env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("vernier: there is no vernier program", done.stderr)

    def chosen(self, *words):
        """The file that pip takes of the two."""
        folder = tempfile.mkdtemp(dir=self.folder)
        self.installed.pip("download", "--no-index", "--find-links", self.wheels, "--no-deps",
                           "--dest", folder, *words, "vernier-hpo")
        name, = os.listdir(folder)
        return re.sub(r".*-py3-none-(.*)\.whl", r"\1", name)

    def test_pip_takes_the_one_with_the_service_wherever_it_runs(self):
        mine = os.path.basename(self.full).partition("-py3-none-")[2].removesuffix(".whl")
        self.assertRegex(mine, r"^manylinux_2_28_(x86_64|aarch64)$")
        self.assertEqual(self.chosen(), mine)
        for system, expected in (
                (mine, mine), (mine.replace("2_28", "2_36"), mine),
                (mine.replace("2_28", "2_27"), "any"), ("macosx_14_0_arm64", "any"),
                ("win_amd64", "any"), ("musllinux_1_2_x86_64", "any")):
            with self.subTest(system):
                later = [mine] if expected == mine else []
                self.assertEqual(self.chosen(
                    "--only-binary=:all:", *(f"--platform={each}" for each in
                                             dict.fromkeys([system, *later]))), expected)

    def test_a_library_without_the_binary_is_refused(self):
        done = subprocess.run(
            [sys.executable, os.path.join(PROJECT, "build_wheel.py"), "--library",
             binary(), "--out", self.folder], check=False, text=True, stderr=subprocess.PIPE)
        self.assertIn("--library is for a wheel with the binary", done.stderr)


del ServiceCase

if __name__ == "__main__":
    unittest.main()
