"""What a person sees of the real binary: at a terminal of some size, in a pipe, and
of jobs under names as people type them."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import DEADLINE, Service, binary, wait_for  # noqa: E402

JOB = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: 2
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
    - {{parameterName: units, type: INTEGER, minValue: 1, maxValue: 9}}
    - parameterName: optimizer
      type: CATEGORICAL
      categoricalValues: [sgd, adam]
      childParameterSpecs:
      - {{parameterName: momentum, type: DOUBLE, minValue: 0, maxValue: 1,
         parentCategoricalValues: {{values: [sgd]}}}}
vernier:
  seed: 5
  command: [{command}]
"""

# The first trial fails, the next two report, and all others wait.
FAILING = """#!/bin/sh
case $CLOUD_ML_TRIAL_ID in
1) echo "no such place" >&2; exit 1 ;;
2|3) printf '{{"global_step": "1", "loss": "%s", "timestamp": 1.5, "trial": "1"}}\\n' \\
  "$((9 - CLOUD_ML_TRIAL_ID))" > "$CLOUD_ML_HP_METRIC_FILE" ;;
*) while [ ! -e {home}/go ]; do sleep 0.05; done ;;
esac
"""

# Fails with a message that would rename the window, clear the screen and more.
NOISY = r"""#!/bin/sh
printf '\033[32mgreen\033[0m 10%%\r20%%\n'
printf 'evil \033]0;owned\007\033[2J\033[H\302\2332J\033[?1049h\n' >&2
exit 1
"""
SGR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")

FRAME = re.compile(r"\x1b\[\?2026h(.*?)\x1b\[\?2026l", re.DOTALL)
ESCAPE = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


class Terminal:
    """A command in a pseudo-terminal; `output` is all that it was sent."""

    def __init__(self, service, *args, columns=80, rows=24, **variables):
        environment = {**os.environ, "TERM": "xterm", "VERNIER_ENDPOINT": service.endpoint,
                       **variables}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            if name not in variables:
                environment.pop(name, None)
        self.output = ""
        self.main, other = pty.openpty()
        self.resize(columns, rows)
        self.process = subprocess.Popen(
            [binary(), *args], stdin=other, stdout=other, stderr=other, cwd=service.home,
            env=environment, start_new_session=True)
        os.close(other)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.main)

    def resize(self, columns, rows):
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        """Takes what there is; False once the command has closed its end."""
        if not select.select([self.main], [], [], 0.05)[0]:
            return self.process.poll() is None
        try:
            self.output += os.read(self.main, 65536).decode("utf-8", "replace")
            return True
        except OSError:
            return False

    def wait_text(self, text):
        wait_for(f"the terminal to show {text!r}",
                 lambda: self.read() and text in self.output or text in self.output)

    def end(self):
        end = time.monotonic() + DEADLINE
        while self.read():
            if time.monotonic() > end:
                raise AssertionError(f"it goes on:\n{self.output}")
        return self.process.wait(DEADLINE)


class TerminalTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.program = self.service.write_gated_program()

    def config(self, trials=3):
        return self.service.write("job.yaml", JOB.format(trials=trials, command=self.program))

    def open_gate(self):
        self.service.write("go", "")

    def run_job(self, name, **variables):
        return Terminal(self.service, "run", "--config", self.config(), "--name", name,
                        **variables)

    def assert_no_frame_is_wider(self, output, columns):
        frames = FRAME.findall(output)
        self.assertTrue(frames, output)
        for frame in frames:
            for line in ESCAPE.sub("", frame).replace("\r", "").split("\n"):
                if line.startswith("trial "):
                    continue  # Stays, and may be wrapped.
                self.assertLess(len(line), columns, frame)

    def test_the_display_fits_a_narrow_window_and_a_changed_one(self):
        with self.run_job("my-job", columns=40, rows=10) as terminal:
            terminal.wait_text("2 running")
            self.assertNotIn("[.", terminal.output)
            self.assert_no_frame_is_wider(terminal.output, 40)
            before = len(terminal.output)
            terminal.resize(100, 30)
            terminal.process.send_signal(signal.SIGWINCH)
            wait_for("the bar", lambda: terminal.read() and "[..." in terminal.output[before:])
            self.open_gate()
            self.assertEqual(terminal.end(), 0, terminal.output)
        self.assertIn("Best trials of my-job:", terminal.output)
        self.assertIn("\x1b[32mcompleted\x1b[0m", terminal.output)

    def test_the_display_is_right_at_40_80_and_200_columns(self):
        shown = {40: ["2 running", "best so far"], 80: ["[###", "(trial ", "~"],
                 200: ["[###", "(trial ", "~", "optimizer=", "last failure"]}
        program = self.service.write("fails.sh", FAILING.format(home=self.service.home), 0o755)
        config = self.service.write("job.yaml", JOB.format(trials=6, command=program))
        for columns, texts in shown.items():
            with self.subTest(columns), Terminal(
                    self.service, "run", "--config", config, "--name", f"j{columns}",
                    columns=columns, LC_ALL="C.UTF-8") as terminal:
                for text in [*texts, "\u2588\u2581"]:
                    terminal.wait_text(text)
                frames = FRAME.findall(terminal.output)
                self.assert_no_frame_is_wider(terminal.output, columns)
                # A frame replaces the one before without an empty screen in between.
                for frame in frames:
                    self.assertNotIn("\x1b[2J", frame)
                    self.assertLessEqual(frame.count("\x1b[J"), 2)
                os.kill(terminal.process.pid, signal.SIGINT)
                self.assertEqual(terminal.end(), 130, terminal.output)
                self.service.cli("jobs", "cancel", f"j{columns}")

    def test_the_variable_counts_and_no_color_is_heeded(self):
        with self.run_job("j", columns=120, COLUMNS="50", NO_COLOR="1") as terminal:
            terminal.wait_text("2 running")
            self.open_gate()
            self.assertEqual(terminal.end(), 0, terminal.output)
        self.assert_no_frame_is_wider(terminal.output, 50)
        self.assertIsNone(re.search(r"\x1b\[[0-9;]*m", terminal.output))

    def test_a_dumb_terminal_gets_plain_lines(self):
        self.open_gate()
        with self.run_job("j", TERM="dumb") as terminal:
            self.assertEqual(terminal.end(), 0, terminal.output)
        self.assertNotIn("\x1b", terminal.output)
        self.assertEqual(terminal.output.count("  completed  "), 6, terminal.output)

    def start_two_jobs(self):
        for name in ("first", "second"):
            self.service.submit(name, JOB.format(trials=3, command=self.program))
        wait_for("four trials", lambda: self.service.cli(
            "status").stdout.count("ACTIVE") == 4)

    def test_top_shows_all_jobs_at_every_width(self):
        self.start_two_jobs()
        for columns in (40, 80, 200):
            with self.subTest(columns), Terminal(self.service, "top",
                                                 columns=columns) as terminal:
                for text in ("first", "second", "RUNNING", "0/3", "q: quit"):
                    terminal.wait_text(text)
                self.assert_no_frame_is_wider(terminal.output, columns)
                os.write(terminal.main, b"q")
                self.assertEqual(terminal.end(), 0, terminal.output)

    def test_keys_choose_whose_trials_top_shows(self):
        self.start_two_jobs()
        with Terminal(self.service, "top") as terminal:
            terminal.wait_text("Trials of second")  # The newest is the first.
            self.assertNotIn("Trials of first", terminal.output)
            os.write(terminal.main, b"\x1b[B")
            terminal.wait_text("Trials of first")
            before = len(terminal.output)
            os.write(terminal.main, b"k")
            wait_for("the other job", lambda: terminal.read() and
                     "Trials of second" in terminal.output[before:])
            # Keys are not shown, and Ctrl-C is a signal still.
            flags = termios.tcgetattr(terminal.main)[3]
            self.assertFalse(flags & termios.ECHO)
            self.assertTrue(flags & termios.ISIG)
            os.kill(terminal.process.pid, signal.SIGINT)
            self.assertEqual(terminal.end(), 0, terminal.output)
            self.assertTrue(termios.tcgetattr(terminal.main)[3] & termios.ECHO)

    def test_top_draws_what_changes_and_survives_the_service(self):
        self.service.submit("first", JOB.format(trials=3, command=self.program))
        with Terminal(self.service, "top", columns=120) as terminal:
            terminal.wait_text("0/3")
            self.service.kill()
            terminal.wait_text("The service does not answer")
            self.service.start()
            before = len(terminal.output)
            self.open_gate()
            wait_for("the end", lambda: terminal.read() and
                     "SUCCEEDED" in terminal.output[before:])
            os.write(terminal.main, b"q")
            self.assertEqual(terminal.end(), 0, terminal.output)
        last = ESCAPE.sub("", FRAME.findall(terminal.output)[-1])
        self.assertIn("3/3", last)
        self.assertNotIn("does not answer", last)

    def test_top_is_one_plain_frame_where_it_cannot_be_drawn_anew(self):
        self.start_two_jobs()
        piped = self.service.cli("top").stdout
        with Terminal(self.service, "top", TERM="dumb") as terminal:
            self.assertEqual(terminal.end(), 0, terminal.output)
        with Terminal(self.service, "top", "--once", NO_COLOR="1") as colourless:
            self.assertEqual(colourless.end(), 0, colourless.output)
        for output in (piped, terminal.output, colourless.output):
            self.assertNotIn("\x1b", output)
            # Nobody can choose, so the trials of both jobs are there.
            self.assertEqual(output.count("Trials of "), 2, output)
            self.assertEqual(output.count("  active"), 4, output)
        refused = self.service.cli("top", "--format", "json", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("status --format json", refused.stderr)

    def test_what_was_stopped_draws_anew_below(self):
        with self.run_job("j") as terminal:
            terminal.wait_text("2 running")
            os.kill(terminal.process.pid, signal.SIGSTOP)
            wait_for("it to be stopped", lambda: "T" in open(
                f"/proc/{terminal.process.pid}/stat", encoding="ascii").read().split(")")[1][:3])
            while select.select([terminal.main], [], [], 0)[0]:
                terminal.read()
            before = len(terminal.output)
            os.kill(terminal.process.pid, signal.SIGCONT)
            wait_for("a frame", lambda: terminal.read() and FRAME.search(
                terminal.output[before:]))
            self.assertIsNone(re.match(r"[^\n]*\x1b\[[0-9]+A", terminal.output[before:]))
            os.kill(terminal.process.pid, signal.SIGINT)
            self.assertEqual(terminal.end(), 130, terminal.output)
        self.assertIn("detached", terminal.output)

    def test_results_are_typed_whole_and_named(self):
        self.open_gate()
        self.service.cli("run", "--config", self.config(), "--name", "my-job")
        best = ["trials", "best", "my-job", "-n", "1"]
        [trial] = self.service.json(*best)
        self.assertIsInstance(trial["parameters"]["x"], float)
        self.assertIsInstance(trial["parameters"]["units"], int)
        self.assertIsInstance(trial["parameters"]["optimizer"], str)
        self.assertEqual([p["name"] for p in trial["parameterList"]],
                         list(trial["parameters"]))
        value = self.service.cli(*best, "--format", "value(parameters.units,parameters.x)")
        self.assertEqual(value.stdout,
                         f"{trial['parameters']['units']}\t{trial['parameters']['x']}\n")
        absent = self.service.cli("trials", "list", "my-job", "--filter", "optimizer=adam",
                                  "--format", "value(parameters.momentum)")
        self.assertEqual(absent.stdout.strip(), "")
        unknown = self.service.cli(*best, "--format", "value(parameters.C)", check=False)
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("it has x, units, optimizer, momentum", unknown.stderr)
        columns = "TRIAL,STATE,OBJECTIVE,STEP,x,units,optimizer,momentum"
        for flags in ([], ["--filter", "trial>1000"], ["--filter", "optimizer=adam"]):
            table = self.service.cli("trials", "list", "my-job", "--format", "csv", *flags)
            self.assertEqual(table.stdout.splitlines()[0], columns + ",NOTE")
        table = self.service.cli(*best, "--format", "csv")
        self.assertEqual(table.stdout.splitlines()[0], columns + ",JOB_DIR,NOTE")

    def test_status_logs_and_completion_know_the_jobs(self):
        self.service.submit("my-job", JOB.format(trials=3, command=self.program))
        wait_for("two trials", lambda: self.service.cli(
            "status").stdout.count("ACTIVE") == 2)
        self.service.wait_state("my-job", "RUNNING")
        status = self.service.cli("status").stdout
        self.assertIn("Open jobs:\n", status)
        self.assertIn("my-job", status)
        self.assertIn("my-job  RUNNING", self.service.cli("status", "my-job").stdout)
        self.assertEqual(self.service.json("status")["jobs"][0]["jobId"], "my-job")
        self.assertEqual(self.service.cli("__complete", "why", "my").stdout, "my-job\n")
        self.open_gate()
        self.service.wait_state("my-job", "SUCCEEDED")
        self.assertIn("No job is open", self.service.cli("status").stdout)
        self.assertEqual(self.service.cli("logs", "my-job", "1").stdout,
                         self.service.cli("trials", "logs", "my-job", "1").stdout)

    def test_no_control_character_of_others_reaches_the_terminal(self):
        program = self.service.write("noisy.sh", NOISY, 0o755)
        self.service.submit("noisy", JOB.format(trials=2, command=program))
        self.service.wait_state("noisy", "FAILED")
        self.service.cli("studies", "note", "noisy", "a \x1b[2Jb\x9b31mc")
        for verb in (["why", "noisy"], ["why", "noisy", "1"], ["jobs", "describe", "noisy"],
                     ["jobs", "list"], ["studies", "note", "noisy"], ["studies", "list"],
                     ["studies", "describe", "noisy"], ["events", "noisy"],
                     ["trials", "list", "noisy"], ["trials", "describe", "noisy", "1"],
                     ["status"], ["status", "noisy"], ["top", "--once"], ["info"],
                     ["jobs", "describe", "no\x1b[2Jne"], ["ui", "no\x1b[2Jne"],
                     ["jobs", "describe", "noisy", "--format", "yaml"],
                     ["studies", "describe", "noisy", "--format", "value(note)"]):
            with Terminal(self.service, *verb) as terminal:
                terminal.end()
            # The terminal itself ends lines by \r\n.
            text = SGR.sub("", terminal.output).replace("\r\n", "\n")
            self.assertTrue(text, verb)
            self.assertIsNone(CONTROL.search(text), (verb, text))

    def test_logs_keep_their_colours_and_progress_bars(self):
        program = self.service.write("noisy.sh", NOISY, 0o755)
        self.service.submit("noisy", JOB.format(trials=2, command=program))
        self.service.wait_state("noisy", "FAILED")
        with Terminal(self.service, "trials", "logs", "noisy", "1") as terminal:
            terminal.end()
        self.assertIn("\x1b[32mgreen\x1b[0m 10%\r20%", terminal.output)
        rest = SGR.sub("", terminal.output).replace("\r", "")
        self.assertIsNone(CONTROL.search(rest), rest)
        # A program reads what the program wrote.
        piped = self.service.cli("trials", "logs", "noisy", "1").stdout
        self.assertIn("evil \x1b]0;owned\x07\x1b[2J", piped)

    def test_ui_fails_for_what_is_not_there(self):
        self.service.submit("my-job", JOB.format(trials=2, command=self.program))
        self.assertIn("/jobs/my-job", self.service.cli("ui", "my-job", "--no-browser").stdout)
        for name in ("nope", "my-jub"):
            done = self.service.cli("ui", name, "--no-browser", check=False)
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertIn(f'there is no job or study "{name}"', done.stderr)
        self.assertIn("did you mean my-job?", done.stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_the_socket_of_another_user_is_no_absent_service(self):
        # The checkout may be closed to others.
        folder = self.enterContext(tempfile.TemporaryDirectory())
        os.chmod(folder, 0o755)
        program = shutil.copy(binary(), folder)
        for where in (["--endpoint", self.service.endpoint],
                      ["--data-dir", self.service.data]):
            done = subprocess.run(
                [program, "jobs", "list", *where], cwd="/", user=65534, group=65534,
                extra_groups=[], capture_output=True, text=True, timeout=DEADLINE,
                env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"}, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("permission denied", done.stderr)

    def test_a_reader_that_goes_away_leaves_the_job(self):
        self.open_gate()
        command = (f"{binary()} run --config {self.config()} --name j --endpoint "
                   f"{self.service.endpoint} | head -1")
        result = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True,
                                timeout=DEADLINE, check=True)
        self.assertIn("completed", result.stdout)
        self.service.wait_state("j", "SUCCEEDED")


class HelpTest(unittest.TestCase):
    def sections(self, verb):
        """The first words of the lines of each section of a verb's help."""
        printed = subprocess.run([binary(), *verb, "--help"], check=True, timeout=DEADLINE,
                                 capture_output=True, text=True).stdout
        sections, lines = {}, []
        for line in printed.splitlines():
            if re.fullmatch(r"\w[\w ]*:", line):
                lines = sections.setdefault(line, [])
            elif re.match(r"  \S", line):
                lines.append(line.split()[0])
        return sections

    def positionals(self, verb=()):
        sections = self.sections(verb)
        names = sections.get("Positionals:", [])
        for below in sections.get("Subcommands:", []):
            names += self.positionals((*verb, below))
        return names

    # Of CLI11 2.4, as on Debian 13, a name with one of these ends the program.
    def test_no_argument_has_a_name_that_newer_parsers_refuse(self):
        names = self.positionals()
        self.assertIn("JOB", names)
        self.assertIn("ATTRIBUTE", names)
        for name in names:
            self.assertNotRegex(name, "[=:{]")


if __name__ == "__main__":
    unittest.main()
