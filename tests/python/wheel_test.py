"""The wheel: installed where there is nothing else, without a network."""

import email
import filecmp
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from package import ROOT, binary
from start_test import FIVE_LINES, SHOW, HomeCase

sys.path.insert(0, os.path.join(ROOT, "tests", "compat"))
import clients  # noqa: E402

PROJECT = os.path.join(ROOT, "python")
# Of the wheel's files and folders at the top; what lies elsewhere would be put into a
# folder of another project.
OURS = re.compile(r"vernier_hpo/|vernier_report\.py$|vernier_hpo-[0-9.]+\.(dist-info|data)/")
# The project that has the name on the Python index.
FOREIGN = {
    "vernier/__init__.py": "MINE = 'theirs'\n",
    "vernier/py.typed": "",
    "vernier-9.9.dist-info/METADATA":
        "Metadata-Version: 2.1\nName: vernier\nVersion: 9.9\n",
    "vernier-9.9.dist-info/WHEEL":
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}


def build(folder, program, project=PROJECT):
    """Makes a wheel with this program in it; returns its path."""
    return subprocess.run(
        [sys.executable, os.path.join(project, "build_wheel.py"), "--binary",
         program, "--out", folder],
        check=True, stdout=subprocess.PIPE).stdout.decode().strip()


def names_in(wheel):
    with zipfile.ZipFile(wheel) as file:
        return file.namelist()


def metadata_of(wheel):
    """The fields, and the description, of a wheel."""
    with zipfile.ZipFile(wheel) as file:
        path, = [each for each in file.namelist() if each.endswith("dist-info/METADATA")]
        return email.message_from_bytes(file.read(path))


class Environment:
    """A virtual environment in which only wheels are installed."""

    def __init__(self, folder, *wheels):
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        for wheel in wheels:
            self.pip("install", "--no-index", "--no-cache-dir", wheel)

    def program(self, name):
        return os.path.join(self.folder, "bin", name)

    def pip(self, verb, *words):
        subprocess.run([self.program("python"), "-m", "pip", verb, "--quiet",
                        "--disable-pip-version-check", *words], check=True)

    def python(self, code):
        return subprocess.run(
            [self.program("python"), "-c", code], check=True, text=True,
            stdout=subprocess.PIPE, cwd=self.folder,
            env={"PATH": "/usr/bin:/bin"}).stdout.strip()


class WheelTest(HomeCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="vernier-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.wheel = build(cls.path("real"), binary())
        cls.installed = Environment(cls.path("environment"), cls.wheel)
        # A hundred times smaller, for what does not run the program.
        cls.program = cls.path("program")
        with open(cls.program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho vernier {metadata_of(cls.wheel)['Version']}\n")
        os.chmod(cls.program, 0o755)
        cls.small = build(cls.path("small"), cls.program)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def setUp(self):
        super().setUp()
        del self.environment["VERNIER_BINARY"]
        self.environment["PATH"] = "/usr/bin:/bin"

    def run_in_environment(self, name, *words):
        return subprocess.run(
            [self.installed.program(name), *words],
            env=self.environment, check=True, stdout=subprocess.PIPE,
            cwd=self.home).stdout.decode()

    def test_the_five_lines_run(self):
        printed = json.loads(self.run_in_environment("python", "-c", FIVE_LINES + SHOW))
        self.assertEqual(printed[-1], 20)
        # The command of the environment finds the same study.
        self.assertIn(printed[0], self.run_in_environment("vernier", "studies", "list"))
        self.assertIn("vernier", self.run_in_environment("python", "-m", "vernier_hpo",
                                                         "version"))

    def test_the_readmes_of_the_project_and_the_package_run(self):
        for name in ("README.md", "python/README.md"):
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                text = file.read()
            with self.subTest(name):
                self.assertIsNotNone(re.search(r"(?m)^ *pip install vernier-hpo\b", text))
                code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
                self.assertIn("trial ", self.run_in_environment("python", "-c", code))

    def test_a_process_can_be_a_trial(self):
        path = os.path.join(self.home, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("import vernier_hpo as vn\n"
                       "def objective(trial):\n"
                       "    return trial.params['x']\n"
                       "if __name__ == '__main__':\n"
                       "    print(vn.run(objective, {'x': vn.Float(0, 1)}, 2)"
                       ".state)\n")
        self.assertEqual(self.run_in_environment("python", path), "SUCCEEDED\n")

    def test_the_same_inputs_give_the_same_bytes(self):
        again = build(self.path("again"), self.program)
        self.assertTrue(filecmp.cmp(self.small, again, shallow=False))

    def test_another_binary_is_refused(self):
        result = subprocess.run(
            [sys.executable, os.path.join(PROJECT, "build_wheel.py"), "--binary",
             "/bin/echo", "--out", self.folder.name], check=False,
            stderr=subprocess.PIPE)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(b"but the package is", result.stderr)

    def with_strays(self, name):
        """A copy of the project with what somebody left beside the sources."""
        project = self.path(name)
        shutil.copytree(PROJECT, project)
        os.makedirs(os.path.join(project, "src/vernier/__pycache__"), exist_ok=True)
        for stray in ("vernier/__init__.py", "vernier/stray.py", "utils.py"):
            with open(os.path.join(project, "src", stray), "w", encoding="utf-8"):
                pass
        return project

    def expect_ours(self, wheel):
        names = names_in(wheel)
        for module in ("__init__", "integration/keras", "optuna/__init__", "optuna/pruners"):
            self.assertIn(f"vernier_hpo/{module}.py", names)
        self.assertEqual([each for each in names if not OURS.match(each)], [])

    def test_no_file_is_put_into_another_projects_package(self):
        self.expect_ours(self.wheel)
        # Nor by way of the sources' folder.
        self.expect_ours(build(
            self.path("strays"), self.program, self.with_strays("packed")))

    def test_the_project_that_is_called_vernier_can_be_installed_beside_it(self):
        theirs = self.path("vernier-9.9-py3-none-any.whl")
        with zipfile.ZipFile(theirs, "w") as file:
            for name, text in FOREIGN.items():
                file.writestr(name, text)
            file.writestr("vernier-9.9.dist-info/RECORD", "".join(
                f"{name},,\n" for name in [*FOREIGN, "vernier-9.9.dist-info/RECORD"]))
        both = ("import vernier, vernier_hpo as vn; "
                "print(vernier.MINE, hasattr(vernier, 'create_study'), vn.Float(0, 1).high)")
        for name, first, second in (("ours_first", self.small, theirs),
                                    ("theirs_first", theirs, self.small)):
            with self.subTest(name):
                beside = Environment(self.path(name), first, second)
                self.assertEqual(beside.python(both), "theirs False 1")
        # And either can go without the other.
        beside.pip("uninstall", "--yes", "vernier")
        self.assertEqual(
            beside.python("import importlib.util, vernier_hpo as vn; "
                          "print(vn.__version__, importlib.util.find_spec('vernier'))"),
            metadata_of(self.wheel)["Version"] + " None")
        beside.pip("install", "--no-index", theirs)
        beside.pip("uninstall", "--yes", "vernier-hpo")
        self.assertEqual(beside.python("import vernier; print(vernier.MINE)"), "theirs")
        self.assertFalse(os.path.exists(beside.program("vernier")))

    def test_it_says_what_it_is(self):
        about = metadata_of(self.wheel)
        for field, value in (
                ("Name", "vernier-hpo"), ("Author", "Vernier's authors"),
                ("License-Expression", "Apache-2.0"), ("Requires-Python", ">=3.9"),
                ("Description-Content-Type", "text/markdown")):
            self.assertEqual(about[field], value)
        self.assertIn("hyperparameter", about["Keywords"])
        self.assertIn("Typing :: Typed", about.get_all("Classifier"))
        # There is no site yet, and where the description is shown, no folder of ours.
        self.assertIsNone(about["Project-URL"])
        self.assertNotRegex(about.get_payload(), r"\]\((?!https?:)|://")
        with zipfile.ZipFile(self.wheel) as file:
            for name, source in (("LICENSE", "LICENSE"),
                                 ("licenses/copyright", "packaging/debian/copyright"),
                                 ("licenses/NLopt", "packaging/licenses/NLopt"),
                                 ("licenses/LGPL-2.1", "packaging/licenses/LGPL-2.1")):
                self.assertIn(name, about.get_all("License-File"))
                with open(os.path.join(ROOT, source), "rb") as licence:
                    self.assertEqual(licence.read(), file.read(
                        f"vernier_hpo-{about['Version']}.dist-info/licenses/{name}"))

    def test_others_read_it_as_it_is_meant(self):
        python = clients.python("packaging")
        subprocess.run(
            [python, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps",
             "--no-build-isolation", "--wheel-dir", self.path("pure"),
             self.with_strays("sources")], check=True, stdout=subprocess.DEVNULL)
        pure = os.path.join(self.path("pure"), os.listdir(self.path("pure"))[0])
        self.expect_ours(pure)
        ours, theirs = metadata_of(self.wheel), metadata_of(pure)
        self.assertEqual(sorted(map(str, ours.items())), sorted(
            str(each) for each in theirs.items() if each[0] != "Dynamic"))
        self.assertEqual(ours.get_payload(), theirs.get_payload())
        subprocess.run([python, "-m", "twine", "check", "--strict", self.wheel, pure],
                       check=True, stdout=subprocess.DEVNULL)
        known = subprocess.run(
            [python, "-c", "import trove_classifiers as t; print(*t.classifiers, sep='\\n')"],
            check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        self.assertEqual(set(ours.get_all("Classifier")) - set(known), set())


class OtherProcessorTest(unittest.TestCase):
    """A binary that does not run here."""

    def test_an_emulator_says_its_version_and_the_wheel_is_for_its_processor(self):
        with tempfile.TemporaryDirectory() as folder:
            program, emulator = os.path.join(folder, "vernier"), os.path.join(folder, "qemu")
            with open(program, "wb") as file:
                file.write(b"\x7fELF\x02\x01\x01" + bytes(11) + b"\xb7\0")
            version = re.search(r'__version__ = "(.+)"', pathlib.Path(
                PROJECT, "src/vernier_hpo/_version.py").read_text(encoding="utf-8"))[1]
            with open(emulator, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\n[ "$*" = "{program} version" ] && echo vernier {version}\n')
            os.chmod(emulator, 0o755)
            wheel = subprocess.run(
                [sys.executable, os.path.join(PROJECT, "build_wheel.py"), "--binary", program,
                 "--emulator", emulator, "--out", folder],
                check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
            self.assertEqual(os.path.basename(wheel),
                             f"vernier_hpo-{version}-py3-none-manylinux_2_28_aarch64.whl")
            with zipfile.ZipFile(wheel) as file:
                about = file.read(f"vernier_hpo-{version}.dist-info/WHEEL").decode()
        self.assertIn("Tag: py3-none-manylinux_2_28_aarch64\n", about)


if __name__ == "__main__":
    unittest.main()
