"""What the service sends to others, read by the libraries that others use."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from receiver import Receiver  # noqa: E402
from service import Service, wait_for  # noqa: E402

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
JOB = """
trainingInput: {region: local, scaleTier: BASIC, hyperparameters: {
  goal: MINIMIZE, hyperparameterMetricTag: loss, maxTrials: 2,
  params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}]}}
vernier: {command: [sh, -c, "echo loss=1"]}
"""


class ObserversTest(unittest.TestCase):
    def test_opentelemetrys_own_code_reads_our_traces(self):
        clients.use("opentelemetry")
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
            ExportTraceServiceRequest)
        collector = self.enterContext(Receiver())
        with Service("--http", "off", "--otlp-endpoint", collector.url) as service:
            service.submit("job", JOB)
            service.wait_state("job", "SUCCEEDED", "FAILED")
        spans = {}
        for path, headers, body in collector.requests:
            self.assertEqual((path, headers["Content-Type"]),
                             ("/v1/traces", "application/x-protobuf"))
            message = ExportTraceServiceRequest.FromString(body)
            # Each byte belongs to a field of the schema, and none is missing.
            self.assertEqual(message.SerializeToString(deterministic=True), body)
            for resource in message.resource_spans:
                self.assertEqual(resource.resource.attributes[0].key, "service.name")
                self.assertEqual(resource.resource.attributes[0].value.string_value, "vernier")
                for scope in resource.scope_spans:
                    spans.update({span.span_id: span for span in scope.spans})
        names = sorted(span.name for span in spans.values() if "/" not in span.name)
        self.assertEqual(names, sorted(["job"] + 2 * ["trial", "attempt", "launch", "run"]))
        job = next(span for span in spans.values() if span.name == "job")
        for span in spans.values():
            self.assertEqual((len(span.trace_id), len(span.span_id)), (16, 8))
            if span.parent_span_id:
                self.assertEqual(span.trace_id, job.trace_id)
                self.assertIn(span.parent_span_id, spans)

    def test_a_library_of_standard_webhooks_verifies_our_notices(self):
        clients.use("standardwebhooks")
        from standardwebhooks.webhooks import Webhook, WebhookVerificationError
        receiver = self.enterContext(Receiver())
        service = Service("--http", "off", "--webhook", receiver.url)
        secret = service.write("secret", SECRET, 0o600)
        service.flags += ("--webhook-secret-file", secret)
        with service:
            service.submit("job", JOB)
            wait_for("the notice", lambda: receiver.requests)
        _, headers, body = receiver.requests[0]
        notice = Webhook(SECRET).verify(body, headers)
        self.assertEqual(notice["data"]["state"], "SUCCEEDED")
        with self.assertRaises(WebhookVerificationError):
            Webhook(SECRET).verify(body + b" ", headers)


if __name__ == "__main__":
    unittest.main()
