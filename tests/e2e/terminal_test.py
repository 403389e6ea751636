"""What a person sees of the real binary: at a terminal of some size, in a pipe, and
of jobs under names as people type them."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
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

    def test_a_reader_that_goes_away_leaves_the_job(self):
        self.open_gate()
        command = (f"{binary()} run --config {self.config()} --name j --endpoint "
                   f"{self.service.endpoint} | head -1")
        result = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True,
                                timeout=DEADLINE, check=True)
        self.assertIn("completed", result.stdout)
        self.service.wait_state("j", "SUCCEEDED")


if __name__ == "__main__":
    unittest.main()
