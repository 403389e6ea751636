"""Tests of the test runner: what it counts, and that it can say no."""

import json
import pathlib
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

import run_tests  # noqa: E402 (needs the path above)

GOOD_LOG = """\
[==========] Running 3 tests from 1 test suite.
[ RUN      ] StoreTest.Opens
[       OK ] StoreTest.Opens (0 ms)
[ RUN      ] StoreTest.Closes
[       OK ] StoreTest.Closes (2 ms)
[ RUN      ] StoreTest.NeedsRoom
store_test.cc:12: Skipped
there is no room

[  SKIPPED ] StoreTest.NeedsRoom (0 ms)
[==========] 3 tests from 1 test suite ran. (2 ms total)
[  PASSED  ] 2 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] StoreTest.NeedsRoom
"""

FAILING_LOG = """\
[==========] Running 2 tests from 1 test suite.
[ RUN      ] StoreTest.Opens
[       OK ] StoreTest.Opens (0 ms)
[ RUN      ] Sizes/StoreTest.Grows/1
[  FAILED  ] Sizes/StoreTest.Grows/1, where GetParam() = 8 (0 ms)
[==========] 2 tests from 1 test suite ran. (2 ms total)
[  PASSED  ] 1 test.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Sizes/StoreTest.Grows/1, where GetParam() = 8

 1 FAILED TEST
"""

CRASHED_LOG = """\
[==========] Running 4 tests from 1 test suite.
[ RUN      ] StoreTest.Opens
[       OK ] StoreTest.Opens (0 ms)
[ RUN      ] StoreTest.Crashes
"""


class GoogletestLogTest(unittest.TestCase):

    def test_counts_passed_and_skipped_cases(self):
        outcome = run_tests.read_googletest(GOOD_LOG, 0)
        self.assertEqual((outcome.passed, outcome.failed, outcome.skipped),
                         (2, 0, 1))

    def test_counts_a_failed_case_once(self):
        outcome = run_tests.read_googletest(FAILING_LOG, 1)
        self.assertEqual((outcome.passed, outcome.failed), (1, 1))

    def test_counts_the_cases_that_a_crash_cut_off_as_failed(self):
        outcome = run_tests.read_googletest(CRASHED_LOG, -11)
        self.assertEqual((outcome.passed, outcome.failed), (1, 3))
        self.assertIn("SIGSEGV in StoreTest.Crashes", outcome.problems[0])

    def test_fails_a_program_that_dies_after_its_last_case(self):
        outcome = run_tests.read_googletest(GOOD_LOG, 66)
        self.assertEqual((outcome.passed, outcome.failed), (2, 1))

    def test_fails_a_program_that_prints_nothing(self):
        self.assertEqual(run_tests.read_googletest("", -6).failed, 1)

    def test_fails_a_program_that_ran_out_of_time(self):
        outcome = run_tests.read_googletest(CRASHED_LOG, None)
        self.assertEqual(outcome.failed, 3)


class ShortenedLogTest(unittest.TestCase):

    def case(self, name, end, lines):
        said = [f"{name} says {i}" for i in range(lines)]
        return [f"[ RUN      ] {name}", *said, *end]

    def shortened(self, *parts):
        """What stays of a log that has much before and after `parts`."""
        log = []
        good = "[       OK ] A.Good (0 ms)"
        for part in (self.case("A.Good", [good], 1000), *parts,
                     self.case("A.Good", [good], 1000)):
            log += part
        return run_tests.shortened(log)

    def test_a_short_log_stays_as_it_is(self):
        log = ["line"] * 400
        self.assertEqual(run_tests.shortened(log), log)

    def test_the_middle_of_a_long_log_goes(self):
        log = self.shortened()
        self.assertEqual(len(log), 100 + 1 + 300)
        self.assertEqual(log[100], "...")

    def test_all_that_a_failed_case_said_stays(self):
        failed = self.case("A.Bad/1", ["[  FAILED  ] A.Bad/1, where"
                                       " GetParam() = 8 (3 ms)"], 700)
        log = self.shortened(failed)
        self.assertEqual(log[100:-300], ["...", *failed, "..."])

    def test_what_good_cases_between_failed_ones_said_goes(self):
        first = self.case("A.Bad", ["[  FAILED  ] A.Bad (3 ms)"], 2)
        good = self.case("A.Good", ["[       OK ] A.Good (0 ms)"], 2)
        skipped = self.case("A.Not", ["[  SKIPPED ] A.Not (0 ms)"], 2)
        second = self.case("A.Worse", ["[  FAILED  ] A.Worse (3 ms)"], 2)
        log = self.shortened(first, good, skipped, second)
        self.assertEqual(log[100:-300],
                         ["...", *first, "...", *second, "..."])

    def test_a_case_without_an_end_of_its_own_line_stays(self):
        odd = self.case("A.Odd", ["no newline[  FAILED  ] A.Odd (3 ms)"], 2)
        self.assertEqual(self.shortened(odd)[100:-300], ["...", *odd, "..."])

    def test_all_that_a_crashed_case_said_stays(self):
        crashed = self.case("A.Crashes", [], 700)
        log = self.case("A.Good", ["[       OK ] A.Good (0 ms)"], 1000)
        self.assertEqual(run_tests.shortened(log + crashed)[100:],
                         ["...", *crashed])


class UnittestLogTest(unittest.TestCase):

    def test_counts_cases(self):
        outcome = run_tests.read_unittest(
            "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)\n",
            1)
        self.assertEqual((outcome.passed, outcome.failed, outcome.skipped),
                         (2, 2, 1))

    def test_fails_a_file_that_cannot_be_run(self):
        self.assertEqual(run_tests.read_unittest("Traceback", 1).failed, 1)


UNITTEST_SKIPS = """\
test_reads (jobs_test.JobsTest.test_reads) ... ok
test_runs (jobs_test.JobsTest.test_runs)
It runs. ... a line of its own
skipped "there's no Slurm"
setUpClass (gpu_test.GpuTest) ... skipped 'no GPU'

----------------------------------------------------------------------
Ran 2 tests in 0.1s

OK (skipped=2)
"""


class SkipTest(unittest.TestCase):

    def test_reads_the_reason_of_a_googletest_case(self):
        outcome = run_tests.read_googletest(GOOD_LOG, 0)
        self.assertEqual(outcome.skips,
                         {"StoreTest.NeedsRoom": "there is no room"})

    def test_a_googletest_case_without_a_reason_has_none(self):
        log = GOOD_LOG.replace("store_test.cc:12: Skipped\nthere is no room\n", "")
        self.assertEqual(run_tests.read_googletest(log, 0).skips,
                         {"StoreTest.NeedsRoom": ""})

    def test_a_reason_is_of_its_own_case(self):
        log = GOOD_LOG.replace("[       OK ] StoreTest.Closes (2 ms)",
                               "[  SKIPPED ] StoreTest.Closes (2 ms)")
        self.assertEqual(run_tests.read_googletest(log, 0).skips,
                         {"StoreTest.Closes": "",
                          "StoreTest.NeedsRoom": "there is no room"})

    def test_reads_the_reasons_of_unittest(self):
        outcome = run_tests.read_unittest(UNITTEST_SKIPS, 0)
        self.assertEqual(sorted(outcome.skips.values()),
                         ["no GPU", "there's no Slurm"])

    def test_a_skip_of_unittest_that_cannot_be_read_has_no_reason(self):
        outcome = run_tests.read_unittest("Ran 1 test in 0.1s\n\nOK (skipped=1)\n", 0)
        self.assertEqual(list(outcome.skips.values()), [""])

    def test_lists_are_read_from_the_table_of_a_page(self):
        page = ("| `no` | x |\n<!-- skips -->\n| reason | why |\n|---|---|\n"
                "| `no GPU` | it has none |\n| `no *` | b |\n\n| `not this` | c |\n")
        self.assertEqual(run_tests.listed_skips(page), ["no GPU", "no *"])

    def test_a_skip_that_is_not_listed_is_a_problem(self):
        outcome = run_tests.read_unittest(UNITTEST_SKIPS, 0)
        outcome.name = "tests/jobs_test.py"
        self.assertEqual(run_tests.unlisted_skips([outcome], ["no *", "*Slurm"]), [])
        problem, = run_tests.unlisted_skips([outcome], ["no *"])
        self.assertIn("test_runs (1) was skipped: there's no Slurm", problem)


class ProgramTest(unittest.TestCase):

    def run_shell(self, text):
        program = run_tests.Program("it", ["/bin/sh", "-c", text],
                                    run_tests.read_googletest)
        return run_tests.run_program(program)

    def test_reads_what_a_program_prints(self):
        self.assertEqual(self.run_shell(f"cat <<'END'\n{GOOD_LOG}END").passed,
                         2)

    def test_fails_a_missing_program(self):
        program = run_tests.Program("it", ["/nonexistent"],
                                    run_tests.read_googletest)
        self.assertEqual(run_tests.run_program(program).failed, 1)

    def test_fails_a_program_that_is_killed(self):
        self.assertIn("SIGKILL", self.run_shell("kill -9 $$").problems[0])


class RegistrationTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.file = self.root / "tests" / "store" / "store_test.cc"
        self.file.parent.mkdir(parents=True)
        self.file.write_text("TEST(StoreTest, Opens) {}\n")

    def compile(self, *files):
        database = [{"directory": str(self.root), "file": str(f)}
                    for f in files]
        (self.root / "compile_commands.json").write_text(json.dumps(database))

    def test_accepts_compiled_files(self):
        self.compile(self.file)
        self.assertEqual(
            run_tests.unregistered_files(self.root / "tests", self.root), [])

    def test_accepts_files_that_are_compiled_together(self):
        together = self.root / "Unity" / "unity_store_0_cxx.cxx"
        together.parent.mkdir()
        together.write_text(f'/* generated */\n\n#include "{self.file}"\n')
        self.compile(together)
        self.assertEqual(
            run_tests.unregistered_files(self.root / "tests", self.root), [])

    def test_finds_a_file_that_nothing_compiles(self):
        self.compile()
        self.assertEqual(
            run_tests.unregistered_files(self.root / "tests", self.root),
            [str(self.file)])

    def test_finds_a_case_that_is_switched_off(self):
        self.file.write_text("\nTEST(StoreTest, DIS" "ABLED_Opens) {}\n")
        self.assertEqual(run_tests.switched_off_cases(self.root / "tests"),
                         [f"{self.file}:2"])


class SelectionTest(unittest.TestCase):

    def test_a_folder_stands_for_what_lies_in_it(self):
        program = run_tests.Program("tests/e2e/kill_loop_test.py", [], None)
        self.assertTrue(run_tests.is_one_of(program, ["tests/e2e"]))
        self.assertTrue(run_tests.is_one_of(program, [program.name]))
        self.assertFalse(run_tests.is_one_of(program, ["tests/e", "e2e"]))

    def test_finds_a_name_that_selects_nothing(self):
        program = run_tests.Program("store", [], None)
        self.assertEqual(
            run_tests.unmatched_names([program], ["store", "shop"]), ["shop"])


class ScheduleTest(unittest.TestCase):

    def programs(self, *names):
        return [run_tests.Program(name, [], None) for name in names]

    def test_what_kills_services_runs_one_at_a_time(self):
        schedule = run_tests.Schedule(self.programs(
            "store", "tests/e2e/a_test.py", "tests/e2e/b_test.py", "cluster"))
        first = schedule.next()
        self.assertEqual(first.name, "tests/e2e/a_test.py")
        # The long one of the others, then the rest.
        self.assertEqual(schedule.next().name, "cluster")
        self.assertEqual(schedule.next().name, "store")
        self.assertIsNone(schedule.next())
        schedule.has_ended(first)
        self.assertEqual(schedule.next().name, "tests/e2e/b_test.py")

    def test_each_program_runs_once(self):
        names = [f"tests/e2e/{i}_test.py" for i in range(9)]
        names += [f"tests/python/{i}_test.py" for i in range(9)]
        lock, running, seen = threading.Lock(), set(), []

        def run(program):
            with lock:
                running.add(program.name)
                together = [n for n in running if n.startswith("tests/e2e/")]
                seen.append((program.name, len(together)))
            time.sleep(0.001)
            with lock:
                running.remove(program.name)
            return run_tests.Outcome(program.name)

        outcomes = run_tests.run_programs(self.programs(*names), 3, run)
        self.assertEqual(sorted(o.name for o in outcomes), sorted(names))
        self.assertEqual(sorted(name for name, _ in seen), sorted(names))
        self.assertLessEqual(max(together for _, together in seen), 1)

    def test_long_names_are_those_of_tests(self):
        for name in run_tests.LONG:
            if "/" in name:
                self.assertTrue((ROOT / name).exists(), name)


class SummaryTest(unittest.TestCase):

    def test_leaves_skipped_out_when_there_are_none(self):
        outcomes = [run_tests.Outcome("a", passed=2, failed=1),
                    run_tests.Outcome("b", passed=3)]
        self.assertEqual(run_tests.summary_line(outcomes),
                         "5 passed, 1 failed")

    def test_names_skipped_cases(self):
        self.assertEqual(
            run_tests.summary_line([run_tests.Outcome("a", 1, 0, 4)]),
            "1 passed, 0 failed, 4 skipped")

    def test_says_what_the_tests_took_after_earlier_phases(self):
        self.assertEqual(run_tests.took_line("", 61.9, 200),
                         "took: tests 1m01s (3m20s of processor time)")
        self.assertEqual(run_tests.took_line("build 2m00s", 5, 9),
                         "took: build 2m00s, tests 0m05s (0m09s of processor time)")

    def test_processor_time_is_that_of_programs_too(self):
        before = run_tests.processor_seconds()
        run_tests.run_program(run_tests.Program(
            "it", [sys.executable, "-c", "sum(range(2_000_000))"],
            run_tests.read_googletest))
        self.assertGreater(run_tests.processor_seconds(), before + 0.01)

    def test_lists_what_failed_up_to_a_number(self):
        outcomes = [run_tests.Outcome("a", failed=1, problems=["Case.One"]),
                    run_tests.Outcome("b", failed=2, problems=["Two", "Three"])]
        self.assertEqual(run_tests.failed_cases(outcomes, most=2),
                         ["FAILED a: Case.One", "FAILED b: Two", "and 1 more"])
        self.assertEqual(run_tests.failed_cases([]), [])


if __name__ == "__main__":
    unittest.main()
