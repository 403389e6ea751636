"""A service that is killed, answers that are lost, processes that fork."""

import os
import re
import socket
import socketserver
import threading
import unittest

from package import Service
import vernier_hpo as vn
from vernier_hpo._location import Address
from vernier_hpo._study import Study
from vernier_hpo._transport import Transport

X = {"x": vn.Float(0, 1)}


class LossyProxy(socketserver.ThreadingTCPServer):
    """Passes calls on; of every third the answer is lost, and the connection."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", 0), LossyHandler)
        self.target = port
        self.calls = 0
        self.lost = 0
        self.lock = threading.Lock()

    def loses_this(self):
        with self.lock:
            self.calls += 1
            is_lost = self.calls % 3 == 0
            self.lost += is_lost
            return is_lost


def read_message(connection):
    """One HTTP message, or less at the end of the stream."""
    message = b""
    while True:
        head, end, body = message.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if end and len(body) >= (int(length[1]) if length else 0):
            return message
        piece = connection.recv(1 << 16)
        if not piece:
            return message
        message += piece


class LossyHandler(socketserver.BaseRequestHandler):
    def handle(self):
        with socket.create_connection(("127.0.0.1", self.server.target)) as service:
            while True:
                request = read_message(self.request)
                if not request:
                    return
                service.sendall(request)
                answer = read_message(service)
                if self.server.loses_this():
                    return
                self.request.sendall(answer)


class ThroughProxy:
    """A location whose address is the proxy's."""

    def __init__(self, address):
        self.address = address

    def find(self):
        return self.address


class ResilienceTest(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.service.start()
        self.addCleanup(self.service.__exit__)
        os.environ["VERNIER_ENDPOINT"] = self.service.endpoint
        self.addCleanup(os.environ.pop, "VERNIER_ENDPOINT", None)

    def test_a_service_that_is_killed_doubles_and_loses_nothing(self):
        study = vn.create_study(X)
        returned = {}

        def objective(trial):
            if trial.number in (5, 15):
                self.service.kill()
                threading.Timer(0.3, self.service.start, [False]).start()
            value = (trial.params["x"] - 0.3) ** 2
            trial.report(value, 1)
            returned.setdefault(trial.number, []).append((trial.params, value))
            return value

        study.optimize(objective, n_trials=25, n_jobs=2)
        self.assertEqual({number: len(each) for number, each in returned.items()},
                         {number: 1 for number in range(1, 26)})
        self.assertEqual({each.number: [(each.params, each.value)] for each in study.trials},
                         returned)
        self.assertEqual([len(study._calls.list_measurements(each, "value"))
                          for each in range(1, 26)], [1] * 25)

    def test_lost_answers_double_nothing(self):
        study = vn.create_study(X)
        real = study._transport._find()
        proxy = LossyProxy(int(real.url.rsplit(":", 1)[1]))
        self.addCleanup(proxy.server_close)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.addCleanup(proxy.shutdown)
        transport = Transport(ThroughProxy(Address(
            f"http://127.0.0.1:{proxy.server_address[1]}", real.token)))
        self.addCleanup(transport.close)
        lossy = Study(transport, study.full_name)
        for i in range(12):
            lossy.enqueue_trial({"x": i / 20})
        for i in range(20):
            trial = lossy.ask()
            trial.report(0.5, 1)
            lossy.tell(trial, 0.25)
        self.assertGreater(proxy.lost, 20)
        trials = study.trials
        self.assertEqual(len(trials), 20)
        self.assertEqual([each.params["x"] for each in trials[:12]],
                         [i / 20 for i in range(12)])
        self.assertEqual({each.value for each in trials}, {0.25})
        self.assertEqual([len(study._calls.list_measurements(each.number, "value"))
                          for each in trials], [1] * 20)

    def test_a_result_waits_for_the_service(self):
        study = vn.create_study(X)
        trial = study.ask()
        self.service.kill()
        timer = threading.Timer(1.0, self.service.start, [False])
        timer.start()
        study.tell(trial, 0.5)
        timer.join()
        self.assertEqual(study.best_value, 0.5)

    def test_a_service_that_stays_away_is_an_error_in_the_end(self):
        study = vn.create_study(X)
        trial = study.ask()
        self.service.kill()
        with self.assertRaises(vn.UnavailableError):
            study._transport.call("GET", "/v1/" + study.full_name, patience=0.5)
        # Training goes on without it.
        import vernier_hpo._study_calls as calls
        patience, calls.REPORT_PATIENCE_SECONDS = calls.REPORT_PATIENCE_SECONDS, 0.2
        try:
            with self.assertLogs("vernier_hpo", "WARNING") as logs:
                trial.report(0.5, 1)
                self.assertFalse(trial.should_stop())
        finally:
            calls.REPORT_PATIENCE_SECONDS = patience
        self.assertIn("the report of step 1 is lost", logs.output[0])
        self.service.start()

    def ports(self, study):
        """Our ends of the connections that are kept."""
        found = {each.sock.getsockname()[1] for each in study._transport._idle}
        self.assertTrue(found)
        return found

    def test_a_fork_has_connections_of_its_own(self):
        study = vn.create_study(X)
        study.tell(study.ask(), 1.0)
        ports = self.ports(study)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                study.tell(study.ask(), 2.0)
                code = 0 if ports.isdisjoint(self.ports(study)) else 2
            finally:
                os._exit(code)
        study.tell(study.ask(), 3.0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(sorted(each.value for each in study.trials), [1.0, 2.0, 3.0])

    def test_ten_thousand_trials_are_listed(self):
        study = vn.create_study(X, algorithm="random")
        for i in range(10):
            study._calls.suggest(f"crowd-{i}", 1000)
        for i in range(10, 20):
            study.tell(i, float(i))
        trials = study.trials
        self.assertEqual([each.number for each in trials], list(range(1, 10001)))
        self.assertEqual([each.value for each in trials[9:19]],
                         [float(i) for i in range(10, 20)])
        self.assertEqual(study.best_value, 10.0)
        self.assertEqual(len(study.get_trials("objective<15")), 5)
        self.assertIn("10000 trials, 9990 open", study._repr_html_())


if __name__ == "__main__":
    unittest.main()
