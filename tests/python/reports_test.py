"""Reports that cannot be delivered at once: a full disk, a service that is away."""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest

from package import SOURCES

HEAD = "import vernier_report, os, errno\nfrom vernier_report import report\n"


def run(code, **env):
    return subprocess.run(
        [sys.executable, "-c", HEAD + code], check=False, capture_output=True, text=True,
        timeout=60, env={**os.environ, "PYTHONPATH": SOURCES, **env})


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers each call with the server's next status, and keeps what it took."""

    def do_POST(self):  # noqa: N802
        lines = self.rfile.read(int(self.headers["Content-Length"])).decode().splitlines()
        status = self.server.statuses.pop(0) if self.server.statuses else self.server.last
        if status == 400 and len(lines) == 1 and "bad" not in lines[0]:
            status = 200
        if status == 200:
            self.server.taken += [json.loads(line) for line in lines]
        self.send_response(status)
        self.end_headers()
        self.wfile.write(b'{"shouldStop": false}')

    def log_message(self, *_):
        pass


class ReportsTest(unittest.TestCase):
    def serve(self, *statuses, last=200):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        server.statuses, server.last, server.taken = list(statuses), last, []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        return server, {"VERNIER_REPORT_URL": f"http://127.0.0.1:{server.server_port}/"}

    def test_a_program_whose_report_found_no_room_is_no_success(self):
        done = run("report(1, loss=0.5); report(2, loss=0.25); print('done')",
                   VERNIER_METRICS="/dev/full")
        self.assertEqual((done.returncode, done.stdout), (75, "done\n"))
        self.assertEqual(done.stderr, "vernier: 2 reports could not be delivered: "
                                      "/dev/full: No space left on device\n")

    def test_a_program_that_fails_has_said_more(self):
        done = run("report(1, loss=0.5); raise KeyError('mine')", VERNIER_METRICS="/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("KeyError", done.stderr)

    def test_what_found_no_room_comes_once_there_is_some(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "metrics")
            done = run("""
write, room = os.write, [9, 0, 7]
def little(file, data):
    if not room:
        return write(file, data)
    size = room.pop(0)
    if size == 0:
        raise OSError(errno.ENOSPC, "No space left on device")
    return write(file, data[:size])
os.write = little
report(1, loss=0.5)
report(2, loss=0.25)
os.write = write
""", VERNIER_METRICS=path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
        self.assertEqual([line["loss"] for line in lines], [0.5, 0.25])

    def test_reports_wait_for_the_service(self):
        server, url = self.serve(503, 429)
        done = run("for step in range(5): report(step, loss=step)", **url)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line["loss"] for line in server.taken], [0, 1, 2, 3, 4])

    def test_a_report_that_never_reached_the_service_is_no_success(self):
        _, url = self.serve(last=503)
        done = run("vernier_report._PATIENCE = 0.1\nreport(1, loss=1)", **url)
        self.assertEqual(done.returncode, 75)
        self.assertIn("1 reports could not be delivered: the service answers 503",
                      done.stderr)

    def test_one_report_that_is_refused_takes_no_other_along(self):
        server, url = self.serve(last=400)
        done = run("report(1, loss=1); report(2, bad=2); report(3, loss=3)", **url)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line["loss"] for line in server.taken], [1, 3])


if __name__ == "__main__":
    unittest.main()
