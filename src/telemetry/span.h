#ifndef VERNIER_TELEMETRY_SPAN_H_
#define VERNIER_TELEMETRY_SPAN_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "http/trace_context.h"

namespace vernier {

using SpanValue = std::variant<std::string, std::int64_t, double, bool>;
using SpanAttributes = std::vector<std::pair<std::string, SpanValue>>;

/// Numbers as in OpenTelemetry's trace.proto.
enum class SpanKind { kInternal = 1, kServer = 2 };
enum class SpanStatus { kUnset = 0, kOk = 1, kError = 2 };

/// Something that took time, in OpenTelemetry's sense. Attributes hold no
/// parameters, messages or tokens: a collector may belong to others.
struct TraceSpan {
  TraceContext context;     ///< Its own place.
  std::string parent = "";  ///< A span id; empty: it is the root.
  std::string name;
  SpanKind kind = SpanKind::kInternal;
  Timestamp start{};
  Timestamp end{};
  SpanAttributes attributes = {};
  std::vector<TraceContext> links = {};
  SpanStatus status = SpanStatus::kUnset;
};

}  // namespace vernier

#endif  // VERNIER_TELEMETRY_SPAN_H_
