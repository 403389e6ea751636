"""Runs every test of a build folder and counts the cases.

    run_tests.py --build-dir build/test [--only NAME,...] [--exclude NAME,...]
                 [--summary FILE] [--earlier PHASES] [FILTER]

A test is a program that CTest knows, or a Python file named *_test.py below
tests/ or examples/. Python tests find the build's binary in $VERNIER_BINARY.
FILTER selects programs by their name ("study") or folder ("tests/e2e"), else
the cases whose names contain it (or match it, if it holds a `*`).

Says what it took, after what the caller says of earlier phases. Ends with the
line "N passed, N failed" (", N skipped" if there are any), and exits non-zero if a case failed, a program crashed, nothing was selected, or a
test file is part of no program. A check that cannot fail is no check.

Each reason for which cases were skipped is printed. With VERNIER_LISTED_SKIPS=1,
as on the bare machine of scripts/check, a reason that the table in
CONTRIBUTING.md does not list is a failure.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Tests that start services and kill them: one of these at a time, since two that
# wait for clocks disturb each other more than one that computes does.
ONE_AT_A_TIME = ("e2e", "tests/e2e")
# Started before others, so that none of them is what all wait for at the end.
LONG = ("tests/compat/documentation_test.py", "tests/compat/gcloud_test.py",
        "tests/compat/hydra_test.py", "tests/compat/hydra_sweeper_test.py",
        "tests/compat/optuna_storage_test.py", "tests/compat/samplers_test.py",
        "tests/compat/event_writers_test.py",
        "tests/compat/openapi_test.py", "tests/web", "tests/python/wheel_test.py", "cluster",
        "suggest")
TIMEOUT_SECONDS = int(os.environ.get("VERNIER_TEST_TIMEOUT", "1200"))
# The lines of a failed program's log that are always shown.
LOG_START = 100
LOG_END = 300
# What GoogleTest and unittest print for a case that was skipped.
GOOGLETEST_SKIP = re.compile(r"^\[ RUN      \] (\S+)$(?:(?!^\[ RUN ).)*?: Skipped\n(.*?)$",
                             re.MULTILINE | re.DOTALL)
UNITTEST_SKIP = re.compile(r"\bskipped (['\"])(.*?)\1$", re.MULTILINE)
UNITTEST_CASE = re.compile(r"^(\w+) \([\w.]+\)", re.MULTILINE)
CASE_END = re.compile(r"\[(       OK |  FAILED  |  SKIPPED )\] .+ \(\d+ ms\)$")


@dataclasses.dataclass
class Outcome:
    """What one test program came to."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    problems: list = dataclasses.field(default_factory=list)
    skips: dict = dataclasses.field(default_factory=dict)  # Case: its reason.
    output: str = ""

    @property
    def selected(self):
        return self.passed + self.failed + self.skipped


@dataclasses.dataclass
class Program:
    """Something to run: its command, and how to read what it prints."""

    name: str
    command: list
    read: object
    directory: pathlib.Path = ROOT


def read_googletest(text, exit_status):
    """Counts the cases of a GoogleTest log, also of one that breaks off."""
    outcome = Outcome("")
    announced = re.search(r"^\[=+\] Running (\d+) tests?", text, re.MULTILINE)
    total = int(announced.group(1)) if announced else 0
    outcome.passed = len(re.findall(r"^\[       OK \] ", text, re.MULTILINE))
    # With a time, these are results; without, lines of the closing summary.
    skipped = re.findall(r"^\[  SKIPPED \] (\S+) \(", text, re.MULTILINE)
    failed = re.findall(r"^\[  FAILED  \] (.+) \(\d+ ms\)$", text, re.MULTILINE)
    outcome.skipped = len(skipped)
    reasons = dict(GOOGLETEST_SKIP.findall(text))
    outcome.skips = {case: reasons.get(case, "") for case in skipped}
    outcome.failed = len(failed)
    outcome.problems = failed
    unfinished = total - outcome.passed - outcome.skipped - outcome.failed
    if unfinished > 0:
        started = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
        where = started[-1] if started else "before the first case"
        outcome.failed += unfinished
        outcome.problems.append(
            f"{describe_exit(exit_status)} in {where};"
            f" {unfinished} cases did not finish")
    elif exit_status != 0 and not outcome.failed:
        outcome.failed = 1
        outcome.problems.append(f"{describe_exit(exit_status)} after its cases")
    return outcome


def read_unittest(text, exit_status):
    """Counts the cases of a log of Python's unittest."""
    outcome = Outcome("")
    ran = re.search(r"^Ran (\d+) tests?", text, re.MULTILINE)
    counts = dict(re.findall(r"(failures|errors|skipped)=(\d+)", text))
    outcome.skipped = int(counts.get("skipped", 0))
    # The case's name stands on a line before, since a case may print, too.
    for skip in UNITTEST_SKIP.finditer(text):
        names = UNITTEST_CASE.findall(text, 0, skip.start()) or ["a case"]
        outcome.skips[f"{names[-1]} ({len(outcome.skips) + 1})"] = skip.group(2)
    if len(outcome.skips) < outcome.skipped:
        outcome.skips["a case"] = ""
    outcome.failed = sum(int(counts.get(k, 0)) for k in ("failures", "errors"))
    total = int(ran.group(1)) if ran else 0
    outcome.passed = max(0, total - outcome.failed - outcome.skipped)
    outcome.problems = re.findall(r"^(?:FAIL|ERROR): (.+)$", text, re.MULTILINE)
    # 5 is newer Pythons' "no tests ran".
    if exit_status not in (0, 5) and not outcome.failed:
        outcome.failed = 1
        outcome.problems.append(describe_exit(exit_status))
    return outcome


def describe_exit(status):
    if status is None:
        return f"killed after {TIMEOUT_SECONDS} s"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"exit status {status}"


def googletest_programs(build_dir, case_filter):
    """The programs that CTest of `build_dir` knows, with their commands."""
    listing = json.loads(
        subprocess.run(["ctest", "--test-dir", build_dir,
                        "--show-only=json-v1"],
                       check=True, capture_output=True, text=True).stdout)
    programs = []
    for test in listing["tests"]:
        command = list(test.get("command") or [test["name"] + " is not built"])
        if case_filter:
            command.append(f"--gtest_filter={case_filter}")
        programs.append(Program(test["name"], command, read_googletest))
    return programs


def python_programs(case_filter):
    """The Python test files of the tests and the examples."""
    files = sorted(path for folder in ("tests", "examples")
                   for path in (ROOT / folder).rglob("*_test.py"))
    programs = []
    for path in files:
        command = [sys.executable, "-m", "unittest", "-v", path.stem]
        if case_filter:
            command += ["-k", case_filter]
        name = str(path.relative_to(ROOT))
        programs.append(Program(name, command, read_unittest, path.parent))
    return programs


def run_program(program):
    """Runs one program to its end, or to the time limit."""
    start = time.monotonic()
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    try:
        process = subprocess.Popen(
            program.command, cwd=program.directory, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as error:
        return Outcome(program.name, failed=1, problems=[str(error)])
    status = None
    try:
        output, _ = process.communicate(timeout=TIMEOUT_SECONDS)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    text = output.decode("utf-8", "replace")
    outcome = program.read(text, status)
    outcome.name = program.name
    outcome.seconds = time.monotonic() - start
    outcome.output = text
    return outcome


def lines_of_failed_cases(lines):
    """The places of the lines of GoogleTest cases that did not end well."""
    kept = set()
    own = []  # Of the case that runs.
    for place, line in enumerate(lines):
        if line.startswith("[ RUN      ] "):
            kept.update(own)  # Its end has no line of its own.
            own = [place]
        elif own:
            own.append(place)
            if CASE_END.match(line):
                if line.startswith("[  FAILED  ]"):
                    kept.update(own)
                own = []
    return kept.union(own)  # The last one may have crashed.


def shortened(lines):
    """A log without the middle if it is long, but with all of failed cases."""
    if len(lines) <= LOG_START + LOG_END:
        return lines
    kept = lines_of_failed_cases(lines)
    kept.update(range(LOG_START), range(len(lines) - LOG_END, len(lines)))
    short = []
    previous = -1
    for place in sorted(kept):
        if place > previous + 1:
            short.append("...")
        short.append(lines[place])
        previous = place
    return short


REPORTING = threading.Lock()


def report(outcome):
    """Prints one line for a program, and its log if it failed."""
    if not outcome.selected:
        return
    with REPORTING:
        print_outcome(outcome)


def print_outcome(outcome):
    verdict = "FAILED" if outcome.failed else "ok"
    print(f"{verdict:6} {outcome.name}: {outcome.passed} passed,"
          f" {outcome.failed} failed, {outcome.skipped} skipped"
          f" ({outcome.seconds:.1f} s)", flush=True)
    for reason, count in collections.Counter(outcome.skips.values()).items():
        print(f"    {count} skipped: {reason}", flush=True)
    if outcome.failed:
        for line in shortened(outcome.output.splitlines()):
            print(f"    {line}")
        for problem in outcome.problems:
            print(f"    => {problem}", flush=True)


def is_one_of(program, names):
    """True if a name is the program's, or that of a folder it lies in."""
    return any(program.name == name or program.name.startswith(name + "/")
               for name in names)


def unmatched_names(programs, names):
    """Those of `names` that select no program."""
    return [name for name in names
            if not any(is_one_of(program, [name]) for program in programs)]


class Schedule:
    """Which program runs next, for threads that ask."""

    def __init__(self, programs):
        self._lock = threading.Lock()
        self._others = [p for p in programs if not is_one_of(p, ONE_AT_A_TIME)]
        self._others.sort(key=lambda p: not is_one_of(p, LONG))
        self._one_at_a_time = [p for p in programs if is_one_of(p, ONE_AT_A_TIME)]
        self._one_is_running = False

    def next(self):
        """None if nothing is left but what whoever runs the one takes after it."""
        with self._lock:
            if self._one_at_a_time and not self._one_is_running:
                self._one_is_running = True
                return self._one_at_a_time.pop(0)
            return self._others.pop(0) if self._others else None

    def has_ended(self, program):
        with self._lock:
            if is_one_of(program, ONE_AT_A_TIME):
                self._one_is_running = False


def run_programs(programs, jobs, run=run_program):
    """Runs the programs, `jobs` together, and reports each when it ends."""
    schedule = Schedule(programs)

    def run_what_is_left():
        outcomes = []
        while (program := schedule.next()) is not None:
            outcomes.append(run(program))
            schedule.has_ended(program)
            report(outcomes[-1])
        return outcomes

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        lanes = [pool.submit(run_what_is_left) for _ in range(jobs)]
        return [outcome for lane in lanes for outcome in lane.result()]


def unregistered_files(tests_dir, build_dir):
    """Test files that no program of the build was compiled from."""
    database = json.loads((build_dir / "compile_commands.json").read_text())
    compiled = set()
    for entry in database:
        path = os.path.join(entry["directory"], entry["file"])
        compiled.add(os.path.realpath(path))
        if "/Unity/" in path:  # Files that are compiled together.
            text = pathlib.Path(path).read_text()
            compiled.update(os.path.realpath(name) for name in
                            re.findall(r'^#include "(/[^"]+)"$', text, re.MULTILINE))
    return [str(path) for path in sorted(tests_dir.rglob("*_test.cc"))
            if os.path.realpath(path) not in compiled]


def switched_off_cases(tests_dir):
    """Places where a test is switched off in the source."""
    found = []
    for path in sorted(tests_dir.rglob("*_test.cc")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\bDISABLED_", line):
                found.append(f"{path}:{number}")
    return found


def listed_skips(page):
    """The reasons for skipping a case that a page's table of them lists, as
    patterns in which * stands for any text."""
    table = page.partition("<!-- skips -->")[2].partition("\n\n")[0]
    return [row.group(1) for row in re.finditer(r"^\| `(.+?)` \|", table, re.MULTILINE)]


def unlisted_skips(outcomes, listed):
    """The skipped cases whose reason is none of `listed`."""
    return [f"{outcome.name}: {case} was skipped: {reason or 'it gives no reason'}"
            for outcome in outcomes for case, reason in outcome.skips.items()
            if not any(fnmatch.fnmatchcase(reason, each) for each in listed)]


def failed_cases(outcomes, most=20):
    """What failed, a line each, to stand at the end where it is found."""
    lines = [f"FAILED {outcome.name}: {problem}"
             for outcome in outcomes for problem in outcome.problems]
    rest = len(lines) - most
    return lines[:most] + ([f"and {rest} more"] if rest > 0 else [])


def summary_line(outcomes):
    passed = sum(o.passed for o in outcomes)
    failed = sum(o.failed for o in outcomes)
    skipped = sum(o.skipped for o in outcomes)
    line = f"{passed} passed, {failed} failed"
    return line + (f", {skipped} skipped" if skipped else "")


def as_minutes(seconds):
    return f"{int(seconds) // 60}m{int(seconds) % 60:02}s"


def took_line(earlier, seconds, processor_seconds):
    """What the tests took, after what a script says of its phases before."""
    tests = (f"tests {as_minutes(seconds)}"
             f" ({as_minutes(processor_seconds)} of processor time)")
    return "took: " + ", ".join(filter(None, [earlier, tests]))


def processor_seconds():
    """Of this process and of those that it has waited for."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="",
                        help="programs and folders to run; without it, all")
    parser.add_argument("--exclude", default="",
                        help="programs and folders to leave out")
    parser.add_argument("--summary", type=pathlib.Path,
                        help="file that gets the last line, too")
    parser.add_argument("--earlier", default="",
                        help="what phases before the tests took")
    parser.add_argument("filter", nargs="?", default="")
    return parser.parse_args(arguments)


def comma_separated(text):
    return [name for name in text.split(",") if name]


def list_programs(options):
    """All programs that the options select."""
    only = comma_separated(options.only)
    excluded = comma_separated(options.exclude)
    wanted = options.filter

    def programs(pattern):
        everything = (googletest_programs(options.build_dir, pattern) +
                      python_programs(pattern))
        return [p for p in everything if not is_one_of(p, excluded)
                and (not only or is_one_of(p, only))]

    named = [p for p in programs("") if is_one_of(p, [wanted])]
    if named or not wanted:
        return named or programs("")
    return programs(wanted if "*" in wanted else f"*{wanted}*")


def main(arguments):
    options = parse_arguments(arguments)
    start, processor_start = time.monotonic(), processor_seconds()
    os.environ.setdefault("VERNIER_BINARY",
                          str((options.build_dir / "vernier").resolve()))
    programs = list_programs(options)
    outcomes = run_programs(programs, jobs=os.cpu_count() or 1)
    broken = Outcome("the tests themselves")
    broken.problems += [f"{path}: compiled into no test program"
                        for path in unregistered_files(ROOT / "tests",
                                                       options.build_dir)]
    broken.problems += [f"{place}: a test is switched off"
                        for place in switched_off_cases(ROOT / "tests")]
    broken.problems += [f"no program is called '{name}'" for name in
                        unmatched_names(programs,
                                        comma_separated(options.only))]
    if os.environ.get("VERNIER_LISTED_SKIPS") == "1":
        listed = listed_skips((ROOT / "CONTRIBUTING.md").read_text())
        broken.problems += [
            f"{skip} (install what it needs, or add the reason to the table of"
            " skipped tests in CONTRIBUTING.md)"
            for skip in unlisted_skips(outcomes, listed)]
    if not any(o.selected for o in outcomes):
        broken.problems.append(f"no test matches '{options.filter}'")
    broken.failed = len(broken.problems)
    report(broken)
    outcomes.append(broken)

    print(took_line(options.earlier, time.monotonic() - start,
                    processor_seconds() - processor_start), flush=True)
    text = "\n".join([*failed_cases(outcomes), summary_line(outcomes)])
    if options.summary:
        options.summary.write_text(text + "\n")
    print(text, flush=True)
    return 1 if any(o.failed for o in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
