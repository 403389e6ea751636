"""What callers with a token can do to others, with the real binary: none of it
may take the service's memory, its threads or its connections from the others.
Nothing here measures time: the other caller is answered, or it is not."""

import concurrent.futures
import contextlib
import json
import os
import re
import socket
import subprocess
import unittest

from plain_grpc import END_STREAM, Call, string_field
from service import Service, binary, free_port, wait_for

OK, RESOURCE_EXHAUSTED = 0, 8
MIB = 1 << 10  # In KiB, as /proc counts.
TRIALS = 10_000
LIST_TRIALS = "vernier.v1.JobService/ListTrials"
WATCH_EVENTS = "vernier.v1.JobService/WatchEvents"
JOB = "/v1/projects/default/jobs/large"


class AttackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.service = Service("--listen", f"127.0.0.1:{cls.port}", "--http", "127.0.0.1:0")
        cls.addClassCleanup(cls.service.__exit__)
        writer = os.path.join(os.path.dirname(binary()), "bench/large_study")
        subprocess.run([writer, cls.service.data, "large", str(TRIALS), "5"], check=True,
                       capture_output=True)
        cls.service.start()
        line = next(line for line in cls.service.log().splitlines() if "http" in line)
        cls.http = int(re.search(r"http\W+http://127.0.0.1:(\d+)", line).group(1))

    def token(self):
        """A new token that may only read."""
        return self.service.cli("tokens", "create", "--scope", "project-read", "--project",
                                "default").stdout.split()[0]

    def kib(self, field):
        with open(f"/proc/{self.service.process.pid}/status", encoding="ascii") as file:
            return int(re.search(rf"^{field}:\s+(\d+)", file.read(), re.MULTILINE).group(1))

    def forget_peak(self):
        with open(f"/proc/{self.service.process.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def ask(self, token, path, body=None):
        """Sends a request over HTTP and returns the connection."""
        connection = socket.create_connection(("127.0.0.1", self.http), 60)
        text = "" if body is None else json.dumps(body)
        connection.sendall(
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n{text}".encode())
        return connection

    @staticmethod
    def status_of(connection):
        """The status of the answer, whose body is read and dropped."""
        with connection:
            start = connection.recv(1 << 16)
            while connection.recv(1 << 18):
                pass
        return int(start.split()[1]) if start else 0

    def assert_others_are_answered(self):
        other = self.token()
        self.assertEqual(self.status_of(self.ask(other, JOB + ":getIamPolicy")), 200)
        with Call(self.port, other, "vernier.v1.JobService/GetServiceInfo") as call:
            self.assertEqual(call.status(), OK)

    def test_lists_over_grpc_share_the_memory_of_their_token(self):
        token = self.token()
        request = string_field(1, "large")
        with Call(self.port, token, LIST_TRIALS, request) as one:
            self.assertEqual(one.status(), OK)
        answer = one.bytes >> 10
        self.assertGreater(answer, 3 * MIB)
        before = self.kib("VmRSS")
        self.forget_peak()
        with concurrent.futures.ThreadPoolExecutor(32) as pool, contextlib.ExitStack() as stack:
            calls = [stack.enter_context(Call(self.port, token, LIST_TRIALS, request))
                     for _ in range(32)]
            self.assert_others_are_answered()
            ends = list(pool.map(Call.status, calls))
        self.assertIn(OK, ends)
        self.assertLessEqual(set(ends), {OK, RESOURCE_EXHAUSTED})
        # In memory each answer takes some five times its length.
        self.assertLess(self.kib("VmHWM") - before, 32 * answer * 5 / 3)
        wait_for("the memory to be given back",
                 lambda: self.kib("VmRSS") - before < 64 * MIB)

    def test_lists_over_grpc_that_nobody_reads_are_kept_within_the_same_bound(self):
        token = self.token()
        request = string_field(1, "large")
        before = self.kib("VmRSS")
        self.forget_peak()
        with contextlib.ExitStack() as stack:
            for _ in range(48):
                stack.enter_context(Call(self.port, token, LIST_TRIALS, request, window=1024))
            self.assert_others_are_answered()
        wait_for("the memory to be given back",
                 lambda: self.kib("VmRSS") - before < 64 * MIB)
        self.assertLess(self.kib("VmHWM") - before, 256 * MIB)

    def test_streams_of_a_few_tokens_leave_connections_to_others(self):
        with contextlib.ExitStack() as stack:
            begun = []
            for token in [self.token() for _ in range(5)]:
                for _ in range(110):
                    stream = stack.enter_context(self.ask(token, "/ui/api/changes"))
                    begun.append(stream)
            first = [int(stream.recv(1 << 12).split()[1]) for stream in begun]
            self.assert_others_are_answered()
        self.assertEqual(set(first), {200, 429})
        of_first = first[:110].count(200)
        self.assertGreaterEqual(of_first, 32)
        self.assertLessEqual(of_first, 64)
        self.assertLessEqual(first.count(200), 256)
        # Each has some.
        for i in range(5):
            self.assertIn(200, first[i * 110:(i + 1) * 110])
        # Nothing happens that they would be told, but those who left are missed.
        wait_for("the streams to end with their clients", self.has_room_for_streams)

    def has_room_for_streams(self):
        """Whether a new token gets as many streams as one may have."""
        token = self.token()
        with contextlib.ExitStack() as stack:
            begun = [stack.enter_context(self.ask(token, "/ui/api/changes")) for _ in range(64)]
            return {int(stream.recv(1 << 12).split()[1]) for stream in begun} == {200}

    def refused_streams_of_a_new_token(self):
        """How many of 80 are refused, while others are answered."""
        token = self.token()
        with contextlib.ExitStack() as stack:
            begun = [stack.enter_context(Call(self.port, token, WATCH_EVENTS))
                     for _ in range(80)]
            # A stream that is refused ends at once, and others bring events.
            refused = sum(call.next_frame()[1] & END_STREAM for call in begun)
            self.assert_others_are_answered()
        return refused

    def test_streams_over_grpc_have_the_same_limit(self):
        # Those of other tests end a little after their clients.
        wait_for("64 of 80 streams to be let in",
                 lambda: self.refused_streams_of_a_new_token() == 80 - 64)

    def test_long_calls_of_one_token_keep_nobody_waiting(self):
        token = self.token()
        curves = ",".join(["1"] * 1000)
        attacks = ([self.ask(token, f"/ui/api/studies/large/curves?points=2000&trials={curves}")
                    for _ in range(16)] +
                   [self.ask(token, JOB + "?prettyPrint=true") for _ in range(24)] +
                   [self.ask(token, "/v2/entries:list",
                             {"resourceNames": ["projects/default"], "filter": "severity>=ERROR",
                              "orderBy": "timestamp desc", "pageSize": 1000})
                    for _ in range(16)])
        with contextlib.ExitStack() as stack:
            for attack in attacks:
                stack.enter_context(attack)
            self.assert_others_are_answered()
            ends = {int(attack.recv(1 << 12).split()[1]) for attack in attacks}
        self.assertIn(200, ends)
        self.assertLessEqual(ends, {200, 429})


    def test_a_job_that_is_heavier_than_it_looks_is_refused_before_it_is_read(self):
        token = self.token()
        text = "a: [" + "[]," * 1_000_000 + "]"
        before = self.kib("VmRSS")
        self.forget_peak()
        attacks = [self.ask(token, "/ui/api/validate", {"text": text}) for _ in range(16)]
        self.assert_others_are_answered()
        ends = {self.status_of(attack) for attack in attacks}
        self.assertLessEqual(ends, {400, 429})
        self.assertLess(self.kib("VmHWM") - before, 256 * MIB)

    def test_readers_who_do_not_read_a_large_object_take_little_memory(self):
        token = self.service.cli("tokens", "create", "--scope", "admin").stdout.split()[0]
        made = self.ask(token, "/storage/v1/b?project=default", {"name": "attacked"})
        self.assertEqual(self.status_of(made), 200)
        size = 64 << 20
        with socket.create_connection(("127.0.0.1", self.http), 60) as upload:
            upload.sendall(
                "POST /upload/storage/v1/b/attacked/o?uploadType=media&name=large HTTP/1.1\r\n"
                f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Length: {size}\r\nConnection: close\r\n\r\n".encode())
            for _ in range(64):
                upload.sendall(bytes(1 << 20))
            self.assertEqual(self.status_of(upload), 200)
        before = self.kib("VmRSS")
        self.forget_peak()
        with contextlib.ExitStack() as stack:
            for _ in range(12):
                reader = stack.enter_context(
                    self.ask(token, "/storage/v1/b/attacked/o/large?alt=media"))
                self.assertIn(b" 200 ", reader.recv(64))
            self.assert_others_are_answered()
        self.assertLess(self.kib("VmHWM") - before, 64 * MIB)


SPARSE_JOB = """
trainingInput:
  hyperparameters:
    {{goal: MINIMIZE, hyperparameterMetricTag: loss, maxTrials: 1,
      params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]}}
vernier: {{command: [/bin/sh, -c, "{program}"]}}
"""
WRITES_TERABYTES = (
    "truncate -s 8T $VERNIER_METRICS; "
    "printf '\\\\n{\\\\042loss\\\\042: 0.5}\\\\n' >> $VERNIER_METRICS; exec sleep 600")
PRINTS = "echo loss=0.25"


class LargeMetricFileTest(unittest.TestCase):
    def test_a_metric_file_of_terabytes_holds_nothing_up(self):
        with Service() as service:
            def submit(name, program):
                path = service.write(f"{name}.yaml", SPARSE_JOB.format(program=program))
                service.cli("jobs", "submit", "training", name, "--config", path)

            def values(name):
                # Of a trial that is not there yet it prints nothing.
                printed = service.cli("trials", "measurements", name, "1", "--format",
                                      "json", check=False).stdout
                return [each["value"] for each in json.loads(printed or "[]")]

            submit("large", WRITES_TERABYTES)
            wait_for("what stands behind the hole", lambda: values("large") == [0.5])
            service.kill()
            service.start()
            submit("other", PRINTS)
            service.wait_state("other", "SUCCEEDED")
            self.assertEqual(values("other"), [0.25])
            service.cli("jobs", "cancel", "large")
            service.wait_state("large", "CANCELLED")
            self.assertEqual(values("large"), [0.5])


if __name__ == "__main__":
    unittest.main()
