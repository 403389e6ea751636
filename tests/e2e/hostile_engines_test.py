"""Engines that answer what no engine should: the service says so, goes on serving
others, and ends when it is told to."""

import contextlib
import http.server
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, binary, wait_for  # noqa: E402

JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  {image}
vernier: {{command: [sh, -c, 'echo loss=1']{launcher}}}
"""


class Bed(unittest.TestCase):
    service = None

    def start(self, *flags):
        self.service = Service("--gpus", "none", *flags)
        self.addCleanup(self.remove_service)
        self.service.start()

    def remove_service(self):
        # Not stop(): that waits for jobs to end, as these engines never let them.
        if self.service.process is not None and self.service.process.poll() is None:
            self.service.kill()
        shutil.rmtree(self.service.home, ignore_errors=True)

    def submit(self, image="", launcher=""):
        self.service.submit("job", JOB.format(image=image, launcher=launcher))

    def why(self):
        return self.service.cli("why", "job").stdout

    def await_words(self, *words):
        for word in words:
            wait_for(word, lambda word=word: word in self.why())

    def expect_that_it_serves_and_ends(self):
        began = time.monotonic()
        self.service.cli("jobs", "list")
        self.assertLess(time.monotonic() - began, 5)
        self.service.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.service.process.wait(10), 0, self.service.log())


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        with contextlib.suppress(OSError):  # The client leaves when it likes.
            self.server.answer(self)

    do_POST = do_DELETE = do_GET

    def log_message(self, *_):
        pass

    def say(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class ApiServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.seen = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_):
        pass  # Such as a handshake that the client breaks off.


class HostileApiServerTest(Bed):
    def serve(self, answer, tls=None):
        """An API server that answers every request by answer(handler)."""
        server = ApiServer(answer)
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
            server.url = server.url.replace("http:", "https:")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def start_with(self, url, **cluster):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="vernier-"))
        path = os.path.join(folder, "config")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({
                "current-context": "c",
                "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                "clusters": [{"name": "c", "cluster": {"server": url, **cluster}}],
                "users": [{"name": "u", "user": {"token": "secret"}}]}, file)
        self.start("--launcher", "kubernetes", "--kubernetes-config", path)
        self.submit("masterConfig: {imageUri: some/image}")

    def make_certificate(self, name, alternative):
        """NAME.crt, its own authority, and NAME.key."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="vernier-"))
        paths = [os.path.join(folder, name + end) for end in (".crt", ".key")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}", "-days", "2",
             "-addext", f"subjectAltName={alternative}", "-out", paths[0], "-keyout", paths[1]],
            check=True, capture_output=True)
        return paths

    def tls(self, certificate, key):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context

    def test_a_certificate_that_another_authority_signed_is_named(self):
        own = self.make_certificate("own", "IP:127.0.0.1")
        other = self.make_certificate("other", "IP:127.0.0.1")
        server = self.serve(lambda handler: handler.say(200, b"{}"), self.tls(*own))
        self.start_with(server.url, **{"certificate-authority": other[0]})
        self.await_words("certificate")
        self.assertEqual(server.seen, [], "the token was sent to a stranger")
        self.expect_that_it_serves_and_ends()

    def test_a_certificate_of_another_name_is_refused_unless_it_is_given(self):
        own = self.make_certificate("own", "DNS:lab.example")
        server = self.serve(lambda handler: handler.say(403, b'{"message": "reached"}'),
                            self.tls(*own))
        self.start_with(server.url, **{"certificate-authority": own[0]})
        self.await_words("certificate")
        self.assertEqual(server.seen, [])
        self.remove_service()
        self.start_with(server.url, **{"certificate-authority": own[0],
                                       "tls-server-name": "lab.example"})
        self.await_words("reached (403)")
        self.assertEqual(server.seen[0][1]["Host"], server.url.partition("//")[2])

    def test_a_page_of_html_is_no_listing(self):
        server = self.serve(lambda handler: handler.say(200, b"<html>hello\xff</html>"))
        self.start_with(server.url)
        self.await_words("no listing: <html>")
        self.expect_that_it_serves_and_ends()

    def test_an_answer_without_end_is_cut_off(self):
        def pour(handler):
            handler.send_response(200)
            handler.end_headers()
            for _ in range(1000):
                handler.wfile.write(b"x" * (1 << 20))
        self.start_with(self.serve(pour).url)
        self.await_words("the answer is too long")
        with open(f"/proc/{self.service.process.pid}/status", encoding="utf-8") as file:
            peak = [int(line.split()[1]) for line in file if line.startswith("VmHWM")][0]
        self.assertLess(peak, 400_000, "KiB of memory")
        self.expect_that_it_serves_and_ends()

    def test_a_server_that_never_answers_keeps_nobody_waiting(self):
        asked = threading.Event()

        def hang(handler):
            asked.set()
            time.sleep(60)
        self.start_with(self.serve(hang).url)
        self.assertTrue(asked.wait(30))
        self.await_words("waiting to be sent to Kubernetes")
        self.expect_that_it_serves_and_ends()

    def test_a_refusal_is_shown_in_the_servers_words(self):
        body = json.dumps({"kind": "Status", "message": 'cannot list "jobsets"'}).encode()
        server = self.serve(lambda handler: handler.say(403, body))
        self.start_with(server.url)
        self.await_words('cannot list "jobsets" (403)')
        self.expect_that_it_serves_and_ends()

    def test_a_redirect_is_not_followed(self):
        other = self.serve(lambda handler: handler.say(200, b"{}"))
        server = self.serve(lambda handler: handler.say(302, b"", Location=other.url + "/"))
        self.start_with(server.url)
        self.await_words("(302)")
        self.assertEqual(other.seen, [])


# Accepts every job, and notes its name.
SBATCH = """#!/bin/sh
for word; do
  case $word in --job-name=*) echo "${word#--job-name=}" >> %(folder)s/names ;; esac
done
/usr/bin/wc -l < %(folder)s/names
"""
SQUEUE = """#!/usr/bin/python3
import os, sys
names = open("%(folder)s/names").read().split() if os.path.exists("%(folder)s/names") else []
out = sys.stdout.buffer
%(prints)s
"""
LISTED = r"""
for number, name in enumerate(names, 1):
    out.write(b"%%d|PENDING|%s|n1|%%s\n" %% (number, name.encode()))
"""


class HostileSlurmTest(Bed):
    def make_slurm(self, prints):
        """Commands of Slurm of which squeue does what the statements say."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="vernier-"))
        texts = {"sbatch": SBATCH % {"folder": folder},
                 "squeue": SQUEUE % {"folder": folder, "prints": prints},
                 "scancel": "#!/bin/sh\n", "scontrol": "#!/bin/sh\n", "sacct": "#!/bin/sh\n"}
        for name, text in texts.items():
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o755)
        path = os.environ["PATH"]
        os.environ["PATH"] = folder + ":/usr/bin:/bin"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        return folder

    def submissions(self, folder):
        """Of trials, not of probes."""
        with open(os.path.join(folder, "names"), encoding="utf-8") as file:
            return [name for name in file.read().split() if "-probe-" not in name]

    def start_job(self, prints):
        folder = self.make_slurm(prints)
        self.start("--launcher", "slurm")
        self.submit()
        return folder

    def test_without_slurm_the_service_says_what_is_missing(self):
        folder = self.make_slurm("")
        os.remove(os.path.join(folder, "sbatch"))
        os.environ["PATH"] = folder
        home = self.enterContext(tempfile.TemporaryDirectory(prefix="vernier-"))
        done = subprocess.run([binary(), "serve", "--data-dir", os.path.join(home, "data"),
                               "--launcher", "slurm"],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Slurm cannot be used", done.stderr)
        self.assertIn("sbatch", done.stderr)

    def test_a_job_for_slurm_waits_until_there_is_one(self):
        folder = self.make_slurm(LISTED % "Priority")
        os.rename(os.path.join(folder, "squeue"), os.path.join(folder, "later"))
        os.environ["PATH"] = folder
        self.start()
        self.submit(launcher=", launcher: slurm")
        self.await_words("Slurm cannot be used", "squeue")
        os.rename(os.path.join(folder, "later"), os.path.join(folder, "squeue"))
        self.await_words("in Slurm's queue as job")

    def test_bytes_that_are_no_text_are_shown_as_such(self):
        self.start_job(LISTED % r"\xff\x1b[2Jr\xc3")
        self.await_words("in Slurm's queue as job", "r\ufffd")
        self.expect_that_it_serves_and_ends()

    def test_among_a_hundred_thousand_jobs_its_own_is_found(self):
        others = ('out.write(b"".join(b"%d|RUNNING|None|n%d|train \\xf0|%d\\n" % (n, n, n) '
                  "for n in range(1000, 101000)))")
        self.start_job(others + LISTED % "Priority")
        self.await_words("Priority (other jobs come first)")
        self.expect_that_it_serves_and_ends()

    def test_an_empty_listing_submits_nothing_again(self):
        folder = self.start_job("")
        self.await_words("in Slurm, as far as is known")
        time.sleep(3)  # Three more listings.
        self.assertEqual(len(self.submissions(folder)), 1)
        self.assertIn("in Slurm, as far as is known", self.why())

    def test_what_another_program_prints_is_no_listing(self):
        self.start_job(r'out.write(b"Welcome\nto the cluster\n")')
        self.await_words("no listing of jobs: Welcome")
        self.expect_that_it_serves_and_ends()


if __name__ == "__main__":
    unittest.main()
