"""One optimizer's process, and the messages to it."""

import contextlib
import json
import select
import subprocess
import time

import optimizers
import parameter_space

GRACE_SECONDS = 5.0


class OptimizerError(Exception):
    """The optimizer answered with an error, ended, or was silent too long."""


class OptimizerProcess:
    """A context manager; the process ends with it.

    `answer_limit` is the most seconds that one answer may take. Not
    thread-safe: one run owns it.
    """

    def __init__(self, optimizer, answer_limit):
        self._answer_limit = answer_limit
        self._unread = b""
        self._process = subprocess.Popen(
            optimizer.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=optimizers.environment())

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure:
            self._process.kill()  # It may be busy for hours.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()  # Asks it to end.
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def create(self, parameters, seed, trials, workers, algorithm=None, metrics=(),
               limits=None):
        """With `metrics`, names of what is minimised, `tell` wants a dict of them,
        and of what `limits` bounds from above.
        """
        spec = {"goal": "MINIMIZE", "hyperparameterMetricTag": "value",
                "maxTrials": trials, "maxParallelTrials": workers,
                "params": parameter_space.to_spec(parameters)}
        message = {"op": "create", "seed": seed, "hyperparameters": spec}
        if algorithm:
            spec["algorithm"] = algorithm
        if metrics:
            message["objectives"] = [{"metric": name, "goal": "MINIMIZE"}
                                     for name in metrics]
        if limits:
            message["constraints"] = [{"metric": name, "max": limit}
                                      for name, limit in limits.items()]
        self._call(message)

    def ask(self, count):
        """Returns [(id, point)], the seconds it took, and those of the
        processor, which other work on the machine does not lengthen.
        """
        cpu_start = self._cpu_seconds()
        start = time.perf_counter()
        answer = self._call({"op": "ask", "count": count})
        seconds = time.perf_counter() - start
        return ([(trial["id"], trial["parameters"])
                 for trial in answer["trials"]],
                seconds, self._cpu_seconds() - cpu_start)

    def tell(self, trial_id, value):
        """Returns the seconds it took. A `value` of None: the trial failed."""
        if value is None:
            outcome = {"infeasible": True}
        else:
            outcome = {"values" if isinstance(value, dict) else "value": value}
        start = time.perf_counter()
        self._call({"op": "tell", "id": trial_id, **outcome})
        return time.perf_counter() - start

    def _cpu_seconds(self):
        # The clock that clock_getcpuclockid(3) gives for a process.
        return time.clock_gettime(~self._process.pid << 3 | 2)

    def _call(self, message):
        try:
            self._process.stdin.write((json.dumps(message) + "\n").encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise OptimizerError("the process has ended") from None
        answer = json.loads(self._read_line(message["op"]))
        if "error" in answer:
            raise OptimizerError(
                f"{message['op']}: {answer['error']['message']}")
        return answer

    def _read_line(self, op):
        deadline = time.monotonic() + self._answer_limit
        stream = self._process.stdout.fileno()
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([stream], [], [], left)[0]:
                raise OptimizerError(
                    f"{op}: no answer in {self._answer_limit:g} s")
            chunk = self._process.stdout.read1(65536)
            if not chunk:
                raise OptimizerError(f"{op}: the process has ended")
            self._unread += chunk
        line, self._unread = self._unread.split(b"\n", 1)
        return line
