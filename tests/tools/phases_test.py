"""Tests of what the scripts say about time: their phases, and what each took."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSOLE = ROOT / "scripts" / "lib" / "console.sh"


def shell(text):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", f"source {CONSOLE}\n{text}"],
                          capture_output=True, text=True, check=True).stdout


class PhasesTest(unittest.TestCase):

    # Sets the clocks: seconds since the start, and of the processor. Without its
    # special meaning, which it does not get back, SECONDS stands still.
    CLOCKS = """
      unset SECONDS
      processor_ticks() { echo $((ticks * $(getconf CLK_TCK))); }
      at() { SECONDS=$1 ticks=$2; }
    """

    def test_says_what_each_phase_took(self):
        self.assertEqual(shell(self.CLOCKS + """
            at 0 0; begin_phase installation
            at 4 0; begin_phase build
            at 204 370; phases"""),
            "installation 0m04s, build 3m20s (6m10s of processor time)")

    def test_a_single_phase_needs_no_end(self):
        self.assertEqual(shell(self.CLOCKS + "at 7 3; begin_phase gates; at 9 4; phases"),
                         "gates 0m02s (0m01s of processor time)")

    def test_counts_the_processor_time_of_what_it_waited_for(self):
        before, after = map(int, shell("""
            processor_ticks
            bash -c 'for ((i = 0; i < 300000; ++i)); do :; done'
            processor_ticks""").split())
        self.assertGreater(after, before + 2)


class ProgressTest(unittest.TestCase):

    def build(self, ninja, more=""):
        """What a build that prints `ninja` shows; each line takes 10 seconds."""
        return shell("""
            unset SECONDS
            SECONDS=0
            read() { builtin read "$@" && SECONDS=$((SECONDS + 10)); }
            %s
            printf '%s' | every_half_minute""" % (more, ninja)).splitlines()

    def test_a_step_in_thirty_seconds_is_told_and_the_last_one(self):
        lines = "".join(f"[{i}/7] Building {i}.cc\\n" for i in range(1, 8))
        self.assertEqual(self.build(lines), ["   3 of 7 steps after 0m30s", "   6 of 7 steps after 1m00s",
                                             "   7 of 7 steps after 1m10s"])

    def test_all_else_is_shown(self):
        self.assertEqual(
            self.build("[1/2] Building a.cc\\nFAILED: a.o\\n[x] an error"),
            ["FAILED: a.o", "[x] an error", "   1 of 2 steps after 0m20s"])

    def test_a_failed_build_fails(self):
        failed = subprocess.run(
            ["bash", "-euo", "pipefail", "-c",
             f"source {CONSOLE}; cmake() {{ echo '[1/2] a'; return 3; }}; build here it"],
            capture_output=True, text=True, check=False)
        self.assertEqual(failed.returncode, 3)
        self.assertIn("1 of 2 steps", failed.stderr)


# Stand-ins for what scripts/test calls; each prints itself with its arguments.
SAYS = '#!/bin/sh\necho "$(basename "$0") $*" >> "$CALLS"\n'


class TestScriptTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts" / "lib").mkdir(parents=True)
        (self.root / "build" / "test").mkdir(parents=True)
        (self.root / "build" / "test" / "build.ninja").touch()
        for name in ("test", "lib/console.sh"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts" / name)
        for name in ("scripts/install_dependencies", "cmake"):
            (self.root / name).write_text(SAYS)
            (self.root / name).chmod(0o755)
        (self.root / "scripts/lib/run_tests.py").write_text(
            "import sys\nprint('run_tests.py', *sys.argv[1:])\n")

    def run_it(self, *words):
        done = subprocess.run(
            [self.root / "scripts" / "test", *words],
            env={"PATH": f"{self.root}:/usr/bin:/bin", "CALLS": str(self.root / "calls")},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        calls = self.root / "calls"
        return done, calls.read_text() if calls.exists() else ""

    def test_everything_is_built_and_run(self):
        done, calls = self.run_it("JobParser")
        self.assertEqual(calls, "install_dependencies test\ncmake --build build/test\n")
        self.assertRegex(done.stdout, r"--earlier installation 0m\d\ds, build .* JobParser\n$")
        self.assertNotIn("--only", done.stdout)

    def test_quick_builds_and_runs_the_core_alone(self):
        done, calls = self.run_it("--quick")
        self.assertEqual(
            calls, "install_dependencies build quick\n"
            "cmake --build build/test --target vernier_architecture_test vernier_base_test "
            "vernier_study_test vernier_suggest_test vernier_store_test vernier_trials_test\n")
        self.assertIn("--only architecture,base,study,suggest,store,trials", done.stdout)

    def test_quick_takes_a_filter(self):
        done, _ = self.run_it("--quick", "JobParser")
        self.assertTrue(done.stdout.endswith("trials JobParser\n"), done.stdout)

    def test_refuses_what_it_does_not_know(self):
        for words in (("--fast",), ("JobParser", "--quick"), ("a", "b")):
            done, calls = self.run_it(*words)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("takes --quick and one filter at most", done.stderr)
            self.assertEqual(calls, "")


if __name__ == "__main__":
    unittest.main()
