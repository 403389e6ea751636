#include "daemon/call_span.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "base/random_bits.h"
#include "store/study_names.h"
#include "telemetry/study_spans.h"

namespace vernier {
namespace {

constexpr std::size_t kSpanDigits = 16;

void AddRpc(const CallRecord& call, SpanAttributes* attributes) {
  attributes->emplace_back("rpc.system", std::string("grpc"));
  const std::size_t slash = call.method.find('/');
  if (slash != std::string::npos) {
    attributes->emplace_back("rpc.service", call.method.substr(0, slash));
    attributes->emplace_back("rpc.method", call.method.substr(slash + 1));
  }
  // The numbers of Abseil's codes are those of gRPC's.
  for (int code = 0; code <= 16; ++code) {
    if (absl::StatusCodeToString(static_cast<absl::StatusCode>(code)) ==
        call.code) {
      attributes->emplace_back("rpc.grpc.status_code", std::int64_t{code});
    }
  }
}

void AddHttp(const CallRecord& call, SpanAttributes* attributes) {
  const std::size_t blank = call.method.find(' ');
  attributes->emplace_back("http.request.method", call.method.substr(0, blank));
  if (blank != std::string::npos) {
    attributes->emplace_back("http.route", call.method.substr(blank + 1));
  }
  std::int64_t status = 0;
  if (absl::SimpleAtoi(call.code, &status)) {
    attributes->emplace_back("http.response.status_code", status);
  }
}

}  // namespace

std::optional<TraceSpan> SpanOf(const CallRecord& call,
                                const StoreSnapshot& snapshot) {
  if (call.caller.has_value() && !call.caller->is_sampled) return std::nullopt;
  TraceSpan span;
  span.context = {RandomHex(), RandomHex().substr(0, kSpanDigits), true};
  if (call.caller.has_value()) {
    span.context.trace_id = call.caller->trace_id;
    span.parent = call.caller->span_id;
  }
  span.name = call.method;
  span.kind = SpanKind::kServer;
  span.start = call.began;
  span.end = call.began + call.lasted;
  if (call.transport == Transport::kHttp) {
    AddHttp(call, &span.attributes);
  } else {
    AddRpc(call, &span.attributes);
  }
  const auto add = [&span](const char* key, const std::string& value) {
    if (!value.empty()) span.attributes.emplace_back(key, value);
  };
  add("vernier.request_id", call.request_id);
  add("enduser.id", call.principal);
  add("vernier.job", call.job);
  if (call.trial > 0) span.attributes.emplace_back("vernier.trial", call.trial);
  if (IsServiceFault(call.code)) span.status = SpanStatus::kError;
  if (IsSuccess(call.code) && absl::EndsWith(call.method, "/CreateJob")) {
    const auto job = FindJob(snapshot, call.job);
    if (job != nullptr) span.links.push_back(TraceOf(*job));
  }
  return span;
}

}  // namespace vernier
