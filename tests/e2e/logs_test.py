"""The service's log as JSON, and the ids of requests in it."""

import json
import os
import unittest
import urllib.error
import urllib.request

from service import Service, wait_for


class LogsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(
            Service("--http", "127.0.0.1:0", "--log-format", "json"))
        self.url = self.service.cli("info", "--format", "value(httpUrl)").stdout.strip()
        self.token = self.service.cli("tokens", "create", "--scope", "admin").stdout.split()[0]

    def lines(self):
        path = os.path.join(self.service.home, "serve.log")
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def get(self, path, **headers):
        request = urllib.request.Request(
            self.url + path, headers={"Authorization": f"Bearer {self.token}", **headers})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=30)
        refused.exception.close()
        return refused.exception

    def line_of(self, request_id):
        return wait_for("the line", lambda: next(
            (line for line in self.lines() if line.get("request_id") == request_id), None))

    def test_every_line_is_an_object_with_time_level_and_message(self):
        for line in self.lines():
            self.assertLessEqual({"time", "level", "message"}, set(line))
        self.assertIn("serving", [line["message"] for line in self.lines()])

    def test_an_error_has_the_id_of_its_line(self):
        error = self.get("/v1/projects/default/jobs/none?key=s3cret", **{"X-Request-Id": "a:b/1"})
        self.assertEqual((error.code, error.headers["X-Request-Id"]), (404, "a:b/1"))
        line = self.line_of("a:b/1")
        self.assertEqual(line["message"], "call failed")
        self.assertEqual(line["method"], "GET /v1/projects/{project}/jobs/{job}")
        self.assertEqual((line["status"], line["job"], line["transport"]),
                         ("404", "none", "http"))
        self.assertTrue(line["principal"])
        self.assertGreaterEqual(line["duration_ms"], 0)

    def test_an_id_that_is_malformed_or_missing_is_made(self):
        made = {self.get("/v1/projects/default/jobs/none", **headers).headers["X-Request-Id"]
                for headers in ({}, {"X-Request-Id": "a b"}, {"X-Request-Id": "x" * 200})}
        self.assertEqual(len(made), 3)
        for request_id in made:
            self.assertRegex(request_id, "^[0-9a-f]{32}$")
            self.line_of(request_id)

    def test_a_call_by_grpc_is_logged_with_its_job_and_trial(self):
        refused = self.service.cli("jobs", "describe", "none", check=False)
        self.assertNotEqual(refused.returncode, 0)
        line = wait_for("the line", lambda: next(
            (line for line in self.lines() if line.get("job") == "none"), None))
        self.assertEqual((line["method"], line["status"], line["principal"], line["transport"]),
                         ("vernier.v1.JobService/GetJob", "NOT_FOUND", "socket", "grpc"))

    def test_a_name_of_any_length_fills_no_log(self):
        self.service.cli("jobs", "describe", "j" * 50000, check=False)
        line = wait_for("the line", lambda: next(
            (line for line in self.lines() if line.get("job", "").startswith("jjj")), None))
        self.assertLess(len(line["job"]), 300)

    def test_no_token_is_in_the_log(self):
        wrong = "vernier_" + "0123456789abcdef" * 4
        self.token, good = wrong, self.token
        self.assertEqual(self.get("/v1/projects/default/jobs").code, 401)
        self.get(f"/attempts/{wrong}/v1/report")
        text = json.dumps(self.lines())
        self.assertIn('"status": "401"', text)
        self.assertNotIn(wrong, text)
        self.assertNotIn(good, text)


if __name__ == "__main__":
    unittest.main()
