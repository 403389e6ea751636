#ifndef VERNIER_TELEMETRY_OTLP_MESSAGE_H_
#define VERNIER_TELEMETRY_OTLP_MESSAGE_H_

#include <string>
#include <vector>

#include "telemetry/span.h"

namespace vernier {

/// Returns an ExportTraceServiceRequest of OpenTelemetry's protocol, version 1,
/// in its two encodings: the body of a POST to /v1/traces. `resource`
/// identifies the sender. Invalid UTF-8 is replaced. Pure.
std::string OtlpProtobuf(const SpanAttributes& resource,
                         const std::vector<TraceSpan>& spans);
std::string OtlpJson(const SpanAttributes& resource,
                     const std::vector<TraceSpan>& spans);

}  // namespace vernier

#endif  // VERNIER_TELEMETRY_OTLP_MESSAGE_H_
