"""Ends of jobs, told to webhooks and to a command."""

import base64
import hashlib
import hmac
import json
import os
import signal
import unittest

from receiver import Receiver
from service import Service, free_port, wait_for

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
JOB = """
trainingInput: {region: local, scaleTier: BASIC, hyperparameters: {
  goal: MINIMIZE, hyperparameterMetricTag: loss, maxTrials: 2,
  params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]}}
vernier: {command: [sh, -c, "echo loss=1"]}
"""
SCRIPT = """#!/bin/sh
cat > "$HOME/$VERNIER_JOB.json"
echo "$VERNIER_STATE $VERNIER_BEST_TRIAL $VERNIER_BEST_VALUE $VERNIER_METRIC" \\
  > "$HOME/$VERNIER_JOB.facts"
"""


def signature(headers, body):
    """As Standard Webhooks defines it."""
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


class NoticesTest(unittest.TestCase):
    def start(self, *flags, wait=True):
        service = Service("--http", "off", *flags)
        self.addCleanup(service.__exit__)
        service.start(wait)
        return service

    def run_job(self, service, name):
        service.submit(name, JOB)
        return service.wait_state(name, "SUCCEEDED", "FAILED")

    def test_a_webhook_gets_a_signed_notice(self):
        receiver = self.enterContext(Receiver())
        service = Service("--http", "off", "--webhook", receiver.url + "/hooks?key=s3cret")
        secret = service.write("secret", SECRET + "\n", 0o600)
        service.flags += ("--webhook-secret-file", secret)
        self.enterContext(service)
        self.run_job(service, "digits")
        wait_for("the notice", lambda: receiver.requests)
        path, headers, body = receiver.requests[0]
        self.assertEqual(path, "/hooks?key=s3cret")
        self.assertEqual(headers["webhook-signature"], signature(headers, body))
        notice = json.loads(body)
        self.assertEqual((notice["type"], notice["id"]), ("job.ended", headers["webhook-id"]))
        data = notice["data"]
        self.assertEqual((data["job"], data["project"], data["state"]),
                         ("digits", "default", "SUCCEEDED"))
        self.assertEqual(data["trials"], {"ended": 2, "max": 2, "causes": {"success": 2}})
        self.assertEqual(data["bestTrial"]["value"], 1)
        self.assertIn("x", data["bestTrial"]["parameters"])
        wait_for("the log", lambda: "notice delivered" in service.log())
        self.assertNotIn("s3cret", service.log())

    def test_a_failure_is_tried_again_and_a_redirect_is_one(self):
        elsewhere = self.enterContext(Receiver())
        receiver = self.enterContext(Receiver())
        receiver.statuses = [(302, {"Location": elsewhere.url + "/"}), (500, {})]
        service = self.start("--webhook", receiver.url)
        self.run_job(service, "digits")
        wait_for("three attempts", lambda: len(receiver.requests) >= 3)
        self.assertEqual({one[1]["webhook-id"] for one in receiver.requests},
                         {receiver.requests[0][1]["webhook-id"]})
        self.assertEqual(elsewhere.requests, [])
        wait_for("the delivery", lambda: "notice delivered" in service.log())

    def test_a_notice_survives_kill_9_while_the_receiver_is_away(self):
        port = free_port()
        service = self.start("--webhook", f"http://127.0.0.1:{port}")
        self.run_job(service, "digits")
        wait_for("a failure", lambda: "notice not delivered yet" in service.log())
        service.kill()
        receiver = self.enterContext(Receiver(port))
        service.start()
        wait_for("the notice", lambda: receiver.requests)
        self.assertEqual(json.loads(receiver.requests[0][2])["data"]["job"], "digits")
        # It is told once: the next job's notice comes next.
        self.run_job(service, "second")
        wait_for("the next", lambda: len(receiver.requests) >= 2)
        self.assertEqual(json.loads(receiver.requests[1][2])["data"]["job"], "second")

    def test_each_end_is_told_however_often_the_service_is_killed(self):
        receiver = self.enterContext(Receiver())
        service = self.start("--webhook", receiver.url)
        names = [f"job{i}" for i in range(4)]
        for name in names:
            service.submit(name, JOB)
            # Killed at once: the end is committed by this service or the next.
            service.process.send_signal(signal.SIGKILL)
            service.process.wait()
            service.start()
        for name in names:
            service.wait_state(name, "SUCCEEDED", "FAILED")
        service.kill()
        service.start()
        told = lambda: {json.loads(body)["data"]["job"] for _, _, body in receiver.requests}
        wait_for("all notices", lambda: told() == set(names))
        ids = {}
        for _, headers, body in receiver.requests:
            ids.setdefault(json.loads(body)["data"]["job"], set()).add(headers["webhook-id"])
        self.assertEqual([len(ids[name]) for name in names], [1] * len(names))

    def test_a_command_gets_the_notice(self):
        service = Service("--http", "off")
        script = service.write("script.sh", SCRIPT, 0o700)
        service.flags += ("--on-job-end", script)
        self.addCleanup(service.__exit__)
        previous = os.environ["HOME"]
        os.environ["HOME"] = service.home
        self.addCleanup(os.environ.__setitem__, "HOME", previous)
        service.start()
        self.run_job(service, "digits")
        facts = os.path.join(service.home, "digits.facts")
        wait_for("the command", lambda: os.path.exists(facts) and os.path.getsize(facts))
        with open(facts, encoding="utf-8") as file:
            self.assertEqual(file.read(), "SUCCEEDED 1 1.0 loss\n")
        with open(os.path.join(service.home, "digits.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["data"]["state"], "SUCCEEDED")

    def test_wrong_flags_are_refused_without_showing_secrets(self):
        for flags in (["--webhook", "ftp://s3cret"], ["--webhook", "http://a:s3cret@h"],
                      ["--webhook-secret-file", "/s"], ["--on-job-end", "relative"],
                      ["--on-job-end", "/does/not/exist"],
                      ["--webhook", "http://h", "--webhook", "http://h"]):
            service = Service("--http", "off", *flags)
            service.start(wait=False)
            self.assertEqual(service.process.wait(60), 2, flags)
            self.assertNotIn("s3cret", service.log())


if __name__ == "__main__":
    unittest.main()
