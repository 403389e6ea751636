"""The first five lines, where nothing runs yet, and what may be found afterwards."""

import glob
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

from package import SOURCES, python, wait_for
import package
from vernier_hpo import _binary

FIVE_LINES = """
import vernier_hpo as vn
study = vn.create_study({"x": vn.Float(0, 1), "lr": vn.Float(1e-5, 1, log=True), "k": vn.Int(1, 8),
                         "opt": vn.Categorical(["sgd", "adam"])}, goal="minimize", seed=1)
study.optimize(lambda trial: (trial.params["x"] - 0.3) ** 2, n_trials=20)
study.best_trial.value, study.best_trial.params, len(study.trials)
"""
SHOW = """
import json
print(json.dumps([study.name, study.best_trial.value, study.best_trial.params,
                  len(study.trials)]))
"""
# In PATH, or where pyenv keeps those that are not chosen.
OTHER_PYTHONS = ("python3.9", "python3.10", "python3.12", "python3.13")
PYENV = os.path.join(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"),
                     "versions", "*", "bin")


class HomeCase(unittest.TestCase):
    """Tests in which the package starts a service of its own, for an empty home."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="vernier-")
        self.addCleanup(shutil.rmtree, self.home, True)
        self.addCleanup(self.end_service)
        self.data = os.path.join(self.home, ".local/share/vernier")
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if not name.startswith(("VERNIER_", "XDG_", "PYTHON"))},
            "HOME": self.home, "VERNIER_BINARY": package.binary()}

    def info(self):
        return json.loads(subprocess.run(
            [package.binary(), "info", "--format", "json", "--endpoint",
             f"unix:{self.data}/vernier.sock"],
            env=self.environment, check=True, stdout=subprocess.PIPE).stdout)

    def end_service(self):
        if self.is_served():
            process = int(self.info()["processId"])
            os.kill(process, signal.SIGTERM)
            wait_for("the service to end",
                     lambda: not os.path.exists(f"/proc/{process}/exe"))

    def is_served(self):
        """Whether somebody listens at the socket, whose file may outlive a service."""
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(os.path.join(self.data, "vernier.sock")) == 0


class StartTest(HomeCase):
    def test_another_program_is_named(self):
        result = subprocess.run(
            ["python3", "-c", "import vernier_hpo as vn; vn.list_studies()"],
            env={**self.environment, "PYTHONPATH": package.SOURCES,
                 "VERNIER_BINARY": shutil.which("echo")}, stderr=subprocess.PIPE, check=False)
        self.assertIn(b"FailedPreconditionError: ", result.stderr)
        self.assertIn(b"echo is another program than vernier", result.stderr)

    def run_five_lines(self, interpreter="python3", code=FIVE_LINES + SHOW):
        result = subprocess.run(
            [interpreter, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**self.environment, "PYTHONPATH": SOURCES}, timeout=120, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.messages = result.stderr.decode()
        return json.loads(result.stdout)

    def test_the_five_lines_start_a_service(self):
        name, value, params, count = self.run_five_lines()
        self.assertIn("started a service in the background", self.messages)
        self.assertLess(value, 0.05)
        self.assertEqual((sorted(params), count), (["k", "lr", "opt", "x"], 20))
        # A second program finds the service and the study.
        again = self.run_five_lines(code=f"""
import json
import vernier_hpo as vn
study = vn.load_study({name!r})
print(json.dumps([study.best_value, [each.name for each in vn.list_studies()]]))
""")
        self.assertNotIn("started", self.messages)
        self.assertEqual(again, [value, [name]])
        listed = subprocess.run([package.binary(), "studies", "list"], check=True,
                                env=self.environment, stdout=subprocess.PIPE)
        self.assertIn(name, listed.stdout.decode())
        # Nobody else may read the token.
        token = os.path.join(self.data, "python-default.token")
        self.assertEqual(os.stat(token).st_mode & 0o777, 0o600)

    def test_a_killed_service_is_started_again(self):
        name, *_ = self.run_five_lines()
        os.kill(int(self.info()["processId"]), signal.SIGKILL)
        count, = self.run_five_lines(code=f"""
import json
import vernier_hpo as vn
print(json.dumps([len(vn.load_study({name!r}).trials)]))
""")
        self.assertEqual(count, 20)

    def test_a_data_directory_with_a_token_is_sound(self):
        self.run_five_lines()
        self.end_service()
        subprocess.run([package.binary(), "check", "--data-dir", self.data], check=True,
                       env=self.environment, stdout=subprocess.DEVNULL)

    def test_other_pythons_run_them_too(self):
        found = [path for name in OTHER_PYTHONS for path in
                 [name, *glob.glob(os.path.join(PYENV, name))] if self.works(path)]
        if not found:
            self.skipTest(f"none of {', '.join(OTHER_PYTHONS)} is here")
        for interpreter in found:
            with self.subTest(interpreter):
                self.assertEqual(self.run_five_lines(interpreter)[-1], 20)

    def run_tests_of_studies(self, name):
        found = [each for each in [name, *glob.glob(os.path.join(PYENV, name))]
                 if self.works(each)]
        if not found:
            self.skipTest(f"{name} is not here")
        result = subprocess.run(
            [found[0], "-m", "unittest", "space_test", "study_test", "habits_test",
             "optimize_test"],
            cwd=os.path.dirname(os.path.abspath(__file__)), env=self.environment,
            stderr=subprocess.PIPE, timeout=600, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())

    def test_the_oldest_python_passes_the_tests_of_studies(self):
        self.run_tests_of_studies("python3.9")

    def test_the_newest_python_passes_the_tests_of_studies(self):
        self.run_tests_of_studies("python3.13")

    def works(self, interpreter):
        path = shutil.which(interpreter)
        return path is not None and subprocess.run(
            [path, "-c", ""], check=False, stderr=subprocess.DEVNULL,
            env=self.environment).returncode == 0

    def test_without_a_program_the_error_says_what_to_do(self):
        printed = python("""
import vernier_hpo as vn
try:
    vn.create_study({"x": vn.Float(0, 1)})
except vn.FailedPreconditionError as error:
    print(error)
""", env={"VERNIER_BINARY": "", "PATH": "/nowhere", "HOME": self.home})
        self.assertIn("there is no vernier program", printed)

    def test_without_a_home_it_is_the_users(self):
        for env in ({}, {"HOME": ""}):
            self.assertEqual(_binary._with_home(env)["HOME"],
                             pwd.getpwuid(os.getuid()).pw_dir)
        self.assertEqual(_binary._with_home({"HOME": "/x"}), {"HOME": "/x"})

    def test_a_program_that_does_not_run_is_an_error_of_ours(self):
        path = os.path.join(self.home, "vernier")
        with open(path, "w", encoding="ascii") as file:
            file.write("of another machine")
        os.chmod(path, 0o755)
        printed = python("""
import vernier_hpo as vn
try:
    vn.create_study({"x": vn.Float(0, 1)})
except vn.FailedPreconditionError as error:
    print(error)
""", env={"VERNIER_BINARY": path, "HOME": self.home})
        self.assertIn("cannot be run", printed)

    def test_import_needs_the_standard_library_alone(self):
        printed = python("""
import sys
import vernier_hpo as vn
print([each for each in ("numpy", "pandas", "grpc", "matplotlib", "asyncio", "sklearn")
       if each in sys.modules])
""", env={"VERNIER_BINARY": "", "PATH": "/nowhere", "HOME": self.home})
        self.assertEqual(printed, "[]\n")


if __name__ == "__main__":
    unittest.main()
