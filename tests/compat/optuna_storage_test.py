"""Optuna's GrpcStorageProxy, its own storage tests and its dashboard against us."""

import os
import re
import signal
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import clients  # noqa: E402

from service import Service, free_port  # noqa: E402  clients knows where

PROGRAMS = os.path.join(HERE, "optuna")
VERSION = "5.0.0"


def source_tests():
    """Folder with the tests of Optuna's source archive, which pip fetches once."""
    folder = os.path.join(clients.environment("optuna_storage"), "source")
    tests = os.path.join(folder, f"optuna-{VERSION}", "tests")
    if os.path.isdir(tests):
        return os.path.dirname(tests)
    os.makedirs(folder, exist_ok=True)
    pip = os.path.join(clients.environment("optuna_storage"), "bin", "pip")
    subprocess.run([pip, "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder,
                    f"optuna=={VERSION}"], check=True, capture_output=True, timeout=600)
    # Only the tests: a folder "optuna" beside them would be imported in place of the release.
    subprocess.run(["tar", "xzf", os.path.join(folder, f"optuna-{VERSION}.tar.gz"), "-C", folder,
                    f"optuna-{VERSION}/tests"], check=True)
    return os.path.dirname(tests)


class OptunaStorageTest(unittest.TestCase):
    def setUp(self):
        self.python = clients.python("optuna_storage")

    def serve(self, more=""):
        address = f"127.0.0.1:{free_port()}"
        service = Service("--http", "off", "--optuna", address + more)
        self.addCleanup(service.__exit__)
        service.start()
        return service, address

    def run_program(self, name, *args, timeout=600):
        result = subprocess.run([self.python, "-W", "ignore", os.path.join(PROGRAMS, name), *args],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=timeout, check=False)
        self.assertEqual(result.returncode, 0, result.stdout[-4000:] + result.stderr[-4000:])
        return result.stdout

    def pytest(self, *args):
        """Runs some of Optuna's tests against a new service; returns the last line."""
        _, address = self.serve()
        root = source_tests()
        result = subprocess.run(
            [self.python, "-m", "pytest", "-q", "-p", "optuna_foreign", "-p", "no:cacheprovider",
             "-W", "ignore", *args],
            cwd=root, env={**os.environ, "OPTUNA_GRPC": address,
                           "PYTHONPATH": os.pathsep.join([PROGRAMS, root])},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200, check=False)
        self.assertEqual(result.returncode, 0, result.stdout[-8000:] + result.stderr[-2000:])
        return result.stdout.splitlines()[-1]

    def test_the_storage_suite_passes(self):
        # Optuna skips its tests of the order of parameters for this client.
        self.assertRegex(self.pytest("tests/storages_tests/test_storages.py", "-k", "grpc_foreign"),
                         r"^57 passed, 2 skipped")

    def test_the_suite_with_several_processes_passes(self):
        self.assertRegex(self.pytest("tests/storages_tests/test_with_server.py"), r"^26 passed")

    def test_the_studies_suites_pass(self):
        self.assertRegex(
            self.pytest("tests/storages_tests/test_callbacks.py", "tests/study_tests/test_study.py",
                        "tests/study_tests/test_optimize.py", "tests/study_tests/test_dataframe.py",
                        "tests/trial_tests", "tests/search_space_tests", "-k",
                        "grpc_foreign and not copy_study"),
            r"^102 passed")

    def test_no_queued_trial_goes_to_two_workers(self):
        _, address = self.serve()
        for _ in range(3):
            self.assertEqual(self.run_program("queue_race.py", address), "ok\n")

    def test_the_engine_drives_a_stock_optimize(self):
        service, address = self.serve(",engine")
        self.assertRegex(self.run_program("engine_drives.py", address), "^ok ")
        listed = service.cli("trials", "list", "driven").stdout
        self.assertRegex(listed, r"\bx\b.*\bn\b")
        self.assertEqual(len(service.json("trials", "list", "driven")), 20)
        self.assertRegex(service.cli("why", "driven", "20").stdout, r"(?i)suggest|chosen|expected")

    def test_what_was_acknowledged_outlives_the_service(self):
        service, address = self.serve()
        subprocess.run([self.python, "-c",
                        "import optuna, sys; host, port = sys.argv[1].split(':');"
                        "optuna.create_study(study_name='lasting', storage=optuna.storages."
                        "GrpcStorageProxy(host=host, port=int(port)))", address],
                       check=True, capture_output=True, timeout=120)
        outputs = [os.path.join(service.home, f"acknowledged-{i}") for i in range(4)]
        stop = os.path.join(service.home, "stop")
        workers = [subprocess.Popen([self.python, "-W", "ignore", os.path.join(PROGRAMS, "workers.py"),
                                     address, "lasting", output, stop], stdin=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True) for output in outputs]
        try:
            for ending in (signal.SIGTERM, signal.SIGKILL):
                self.wait_for_lines(outputs, workers)
                service.process.send_signal(ending)
                service.process.wait(60)
                service.start()
            self.wait_for_lines(outputs, workers)
        finally:
            service.write("stop", "")
            ends = [(worker.communicate(timeout=120)[1], worker.returncode) for worker in workers]
        self.assertEqual([code for _, code in ends], [0] * len(ends), ends)
        self.assertRegex(self.run_program("check_acknowledged.py", address, "lasting", *outputs),
                         r"^ok [1-9]\d+ ")

    def wait_for_lines(self, outputs, workers):
        """Waits until every worker has got further."""
        def size(path):
            return os.path.getsize(path) if os.path.exists(path) else 0
        before = [size(path) for path in outputs]
        end = time.monotonic() + 120
        while any(size(path) <= known for path, known in zip(outputs, before)):
            for worker in workers:
                self.assertIsNone(worker.poll(), "" if worker.poll() is None
                                  else worker.stderr.read())
            self.assertLess(time.monotonic(), end, [size(path) - known for path, known
                                                    in zip(outputs, before)])
            time.sleep(0.1)

    def test_the_dashboard_opens_our_store(self):
        service, address = self.serve()
        self.run_program("queue_race.py", address)
        port = free_port()
        host, _, grpc_port = address.rpartition(":")
        program = (f"from optuna.storages import GrpcStorageProxy as P; from optuna_dashboard import run_server;"
                   f"run_server(P(host={host!r}, port={grpc_port}), port={port})")
        dashboard = subprocess.Popen([self.python, "-W", "ignore", "-c", program],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
        try:
            studies = self.ask(port, "/api/studies")
            study = re.search(r'"study_id": ?(\d+)', studies).group(1)
            self.assertIn('"trials"', self.ask(port, f"/api/studies/{study}?after=0"))
            self.assertIn("Number", self.ask(port, f"/csv/{study}"))
            self.ask(port, f"/api/studies/{study}/note", b'{"version":1,"body":"x"}')
        finally:
            dashboard.terminate()
            dashboard.wait(30)
        self.assertIsNone(service.process.poll())

    def ask(self, port, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=body,
                                         method="GET" if body is None else "PUT",
                                         headers={"Content-Type": "application/json"})
        end = time.monotonic() + 90
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.read().decode()
            except urllib.error.HTTPError:
                raise
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.3)


if __name__ == "__main__":
    unittest.main()
