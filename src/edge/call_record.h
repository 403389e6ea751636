#ifndef VERNIER_EDGE_CALL_RECORD_H_
#define VERNIER_EDGE_CALL_RECORD_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/trace_context.h"

namespace vernier {

enum class Transport { kHttp = 1, kGrpc = 2 };

/// What is known of a call, for the log and for traces: first what its head
/// says, at last how it ended. It holds no token and no part of a body.
struct CallRecord {
  Transport transport = Transport::kGrpc;
  /// "vernier.v1.JobService/GetJob", or "GET /v1/projects/{project}/jobs":
  /// never a path with names in it.
  std::string method;
  std::string request_id;  ///< As IsRequestId has it; never empty.
  std::optional<TraceContext>
      caller;                  ///< Of its `traceparent`, if it sent one.
  std::string principal = "";  ///< Principal::name; empty: unknown.
  /// That the call names, as ShowText has it; empty: none, or unknown.
  std::string job = "";
  std::int64_t trial = 0;  ///< The same; 0: none, or unknown.
  Timestamp began{};
  std::chrono::microseconds lasted{0};
  /// A status of HTTP ("404") or gRPC ("NOT_FOUND"); "left" for a client that
  /// did not wait for the answer.
  std::string code = "";
  /// Why the service failed. Empty for a caller's mistakes, since their
  /// messages quote what was sent.
  std::string error = "";
};

/// Most bytes of what a caller names that a record keeps.
inline constexpr std::size_t kMaxSubject = 256;

/// Whether a caller's `x-request-id` is taken as it is: 1 to 128 letters,
/// digits and "-_.:+/=", so that it can neither forge a line of a log nor fill
/// one.
bool IsRequestId(std::string_view text);

/// The id that a call has: the caller's, or a new random one if that is
/// malformed or missing.
std::string RequestIdFor(std::string_view sent);

/// Whether a status, of HTTP or gRPC, is the service's own failure.
bool IsServiceFault(std::string_view code);

/// Whether the call was answered as its caller wished.
bool IsSuccess(std::string_view code);

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_RECORD_H_
