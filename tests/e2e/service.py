"""Starts the real binary for end-to-end tests and talks to it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEADLINE = 180.0  # Generous: the machines that run this are shared.

GATED = """#!/bin/sh
while [ ! -e {home}/go ]; do sleep 0.05; done
printf '{{"global_step": "1", "loss": "%s", "timestamp": 1.5, "trial": "1"}}\\n' "$2" \\
  > "$CLOUD_ML_HP_METRIC_FILE"
"""


def binary():
    """The binary under test: $VERNIER_BINARY, else the development build."""
    path = os.environ.get("VERNIER_BINARY") or os.path.join(ROOT, "build/test/vernier")
    if not os.access(path, os.X_OK):
        raise RuntimeError(f"{path} is not there; build it with scripts/test")
    return path


def wait_for(what, condition, deadline=DEADLINE):
    """Returns condition()'s first true value; fails after the deadline."""
    end = time.monotonic() + deadline
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {deadline} s in vain for {what}")
        time.sleep(0.02)


class Service:
    """One service with a data folder of its own, removed at the end."""

    def __init__(self, *flags):
        # Short: a socket path holds at most 107 bytes.
        self.home = tempfile.mkdtemp(prefix="vernier-")
        self.data = os.path.join(self.home, "data")
        self.flags = flags
        self.before = []  # A command that runs the service's.
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            if self.process is not None and self.process.poll() is None:
                self.kill()
            shutil.rmtree(self.home, ignore_errors=True)

    @property
    def endpoint(self):
        return "unix:" + os.path.join(self.data, "vernier.sock")

    def start(self, wait=True):
        log = open(os.path.join(self.home, "serve.log"), "ab")
        self.process = subprocess.Popen(
            [*self.before, binary(), "serve", "--data-dir", self.data, *self.flags],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        if wait:
            wait_for("the service to answer", self.answers)

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(
                f"the service ended with {self.process.returncode}:\n{self.log()}")
        return self.cli("jobs", "list", check=False).returncode == 0

    def log(self):
        with open(os.path.join(self.home, "serve.log"), encoding="utf-8",
                  errors="replace") as file:
            return file.read()[-4000:]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends every job, then the service, so that no process is left."""
        if self.process is None:
            return
        if self.process.poll() is not None:
            self.start()
        for job in self.jobs():
            self.cli("jobs", "cancel", job["jobId"], check=False)
        wait_for("all jobs to end", lambda: all(
            job["state"] in ("SUCCEEDED", "FAILED", "CANCELLED") for job in self.jobs()))
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DEADLINE)

    def cli(self, *args, check=True, cwd=None, env=None):
        """Runs a client verb against this service."""
        result = subprocess.run(
            [binary(), *args[:1], *args[1:]], cwd=cwd or self.home,
            env={**os.environ, "VERNIER_ENDPOINT": self.endpoint, **(env or {})},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=2 * DEADLINE)
        if check and result.returncode != 0:
            raise AssertionError(
                f"vernier {' '.join(args)} ended with {result.returncode}:\n"
                f"{result.stdout}{result.stderr}\n{self.log()}")
        return result

    def json_lines(self, *args, **kwargs):
        lines = self.cli(*args, "--format", "json", **kwargs).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def json(self, *args, **kwargs):
        return json.loads(self.cli(*args, "--format", "json", **kwargs).stdout)

    def jobs(self):
        return self.json("jobs", "list", "--limit", "1000")

    def job(self, name):
        return self.json("jobs", "describe", name)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.home, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def write_gated_program(self):
        """A training program that waits for a file "go" in `home`, then reports x
        as the loss."""
        return self.write("gated.sh", GATED.format(home=self.home), 0o755)

    def submit(self, name, config, *args):
        path = self.write(f"{name}.yaml", config)
        return self.cli("jobs", "submit", "training", name, "--config", path, *args)

    def wait_state(self, name, *states, deadline=DEADLINE):
        return wait_for(f"job {name} to be {' or '.join(states)}", lambda: (
            (lambda job: job if job["state"] in states else None)(self.job(name))),
            deadline)


def supervisors(data):
    """Processes that supervise a trial of the service with this data folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if b"supervise" in words and data.encode() in b" ".join(words):
            found.append(int(pid))
    return found


def environments():
    """(pid, bytes) of each process whose environment can be read."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                yield int(pid), file.read()
        except OSError:
            continue


def free_port():
    """A port of the loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processes_with(nonces):
    """Processes that carry the nonce of one of these attempts."""
    found = []
    for pid, environment in environments():
        for entry in environment.split(b"\0"):
            name, _, value = entry.partition(b"=")
            if name == b"VERNIER_ATTEMPT" and value.decode() in nonces:
                found.append((pid, value.decode()))
    return found
