"""Traces that the service sends to an OpenTelemetry collector."""

import json
import os
import unittest
import urllib.request

from receiver import Receiver
from service import Service, free_port, wait_for

TRACE = "0af7651916cd43dd8448eb211c80319c"
JOB = """
trainingInput: {region: local, scaleTier: BASIC, hyperparameters: {
  goal: MINIMIZE, hyperparameterMetricTag: loss, maxTrials: 2, maxParallelTrials: 1,
  params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]}}
vernier: {command: [sh, -c, "echo loss=1; echo $TRACEPARENT > %s/$VERNIER_TRIAL.parent"]}
"""


def spans_of(receiver):
    """All spans that came, by their JSON form."""
    spans = []
    for path, headers, body in list(receiver.requests):
        assert path == "/v1/traces" and headers["Content-Type"] == "application/json", headers
        for resource in json.loads(body)["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                spans += scope["spans"]
    return spans


def attributes(span):
    return {pair["key"]: next(iter(pair["value"].values())) for pair in span["attributes"]}


class TracesTest(unittest.TestCase):
    def start(self, endpoint, **environment):
        variables = {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
                     "OTEL_EXPORTER_OTLP_HEADERS": "x-key=s3cret", **environment}
        for name, value in variables.items():
            self.addCleanup(os.environ.pop, name, None)
            os.environ[name] = value
        service = Service("--http", "127.0.0.1:0", "--otlp-endpoint", endpoint)
        self.enterContext(service)
        return service

    def run_job(self, service):
        path = service.write("job.yaml", JOB % service.home)
        service.cli("jobs", "submit", "training", "job", "--config", path,
                    env={"TRACEPARENT": f"00-{TRACE}-b7ad6b7169203331-01"})
        service.wait_state("job", "SUCCEEDED", "FAILED")

    def test_a_job_its_trials_and_attempts_are_one_trace(self):
        collector = self.enterContext(Receiver())
        service = self.start(collector.url)
        self.run_job(service)
        wait_for("the job's span",
                 lambda: [one for one in spans_of(collector) if one["name"] == "job"])
        self.assertEqual(collector.requests[0][1]["x-key"], "s3cret")
        spans = {span["spanId"]: span for span in spans_of(collector)}
        by_name = {}
        for span in spans.values():
            by_name.setdefault(span["name"], []).append(span)
        self.assertEqual([len(by_name[name]) for name in ("job", "trial", "attempt", "launch", "run")],
                         [1, 2, 2, 2, 2])
        job = by_name["job"][0]
        parents = {"run": "attempt", "launch": "attempt", "attempt": "trial", "trial": "job"}
        for name, above in parents.items():
            for span in by_name[name]:
                self.assertEqual(span["traceId"], job["traceId"])
                parent = spans[span["parentSpanId"]]
                self.assertEqual(parent["name"], above)
                self.assertLessEqual(int(parent["startTimeUnixNano"]),
                                     int(span["startTimeUnixNano"]))
                self.assertGreaterEqual(int(span["endTimeUnixNano"]),
                                        int(span["startTimeUnixNano"]))
        self.assertEqual(attributes(job)["vernier.job"], "job")
        # Programs got the place of their attempt.
        for attempt in by_name["attempt"]:
            path = os.path.join(service.home, attributes(attempt)["vernier.trial"] + ".parent")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read().strip(),
                                 f"00-{job['traceId']}-{attempt['spanId']}-01")
        # The call that submitted it leads to it.
        create = by_name["vernier.v1.JobService/CreateJob"][0]
        self.assertEqual((create["traceId"], create["parentSpanId"]),
                         (TRACE, "b7ad6b7169203331"))
        self.assertEqual(create["links"], [{"traceId": job["traceId"], "spanId": job["spanId"]}])
        self.assertEqual(attributes(create)["rpc.grpc.status_code"], "0")

    def test_a_call_is_part_of_its_callers_trace(self):
        collector = self.enterContext(Receiver())
        service = self.start(collector.url)
        url = service.cli("info", "--format", "value(httpUrl)").stdout.strip()
        token = service.cli("tokens", "create", "--scope", "admin").stdout.split()[0]
        for flags, project in (("01", "p1"), ("00", "p2")):
            request = urllib.request.Request(
                f"{url}/v1/projects/{project}/jobs?filter=jobId:s3cret",
                headers={"Authorization": f"Bearer {token}", "X-Request-Id": f"mine-{flags}",
                         "traceparent": f"00-{TRACE}-b7ad6b7169203331-{flags}"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                self.assertEqual(answer.headers["X-Request-Id"], f"mine-{flags}")
        mine = lambda: [one for one in spans_of(collector) if one["traceId"] == TRACE]
        wait_for("the call's span", mine)
        service.stop()  # Sends the rest.
        self.assertEqual(len(mine()), 1)  # The other one was not sampled.
        span = mine()[0]
        self.assertEqual(span["name"], "GET /v1/projects/{project}/jobs")
        self.assertEqual((span["parentSpanId"], span["kind"]), ("b7ad6b7169203331", 2))
        self.assertEqual(attributes(span)["vernier.request_id"], "mine-01")
        self.assertEqual(attributes(span)["http.response.status_code"], "200")
        sent = b"".join(body for _, _, body in collector.requests)
        self.assertNotIn(token.encode(), sent)
        self.assertNotIn(b"s3cret", sent)

    def test_a_collector_that_is_away_stops_nothing(self):
        port = free_port()
        service = self.start(f"http://127.0.0.1:{port}")
        self.run_job(service)
        wait_for("the log", lambda: "the collector takes no spans" in service.log())
        collector = self.enterContext(Receiver(port))
        wait_for("the job's span",
                 lambda: [one for one in spans_of(collector) if one["name"] == "job"])
        self.assertNotIn("s3cret", service.log())


if __name__ == "__main__":
    unittest.main()
