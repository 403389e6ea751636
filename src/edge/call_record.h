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

/// The data of a call for the log and for traces: first from its head, finally
/// how it ended. It contains no token and no part of a body.
struct CallRecord {
  Transport transport = Transport::kGrpc;
  /// "vernier.v1.JobService/GetJob", or "GET /v1/projects/{project}/jobs":
  /// never a path with names in it.
  std::string method;
  std::string request_id;  ///< As IsRequestId has it; never empty.
  std::optional<TraceContext>
      caller;                  ///< Of its `traceparent`, if it sent one.
  std::string principal = "";  ///< Principal::name; empty: unknown.
  /// The job that the call names, as ShowText has it; empty if there is none or
  /// it is unknown.
  std::string job = "";
  std::int64_t trial = 0;  ///< The same; 0: none, or unknown.
  Timestamp began{};
  std::chrono::microseconds lasted{0};
  /// A status of HTTP ("404") or gRPC ("NOT_FOUND"); "left" if the client did
  /// not wait for the answer.
  std::string code = "";
  /// Why the service failed. Empty for a caller's mistakes, since their
  /// messages quote the request.
  std::string error = "";
};

/// The most bytes of a name from a caller that a record keeps.
inline constexpr std::size_t kMaxSubject = 256;

/// Returns whether a caller's `x-request-id` is used unchanged: 1 to 128
/// letters, digits and "-_.:+/=", so that it can neither forge a line of a log
/// nor fill one.
bool IsRequestId(std::string_view text);

/// Returns the id of a call: the caller's, or a new random one if that is
/// malformed or missing.
std::string RequestIdFor(std::string_view sent);

/// Returns whether a status of HTTP or gRPC means that the service itself
/// failed.
bool IsServiceFault(std::string_view code);

/// Returns whether the call was answered as its caller wished.
bool IsSuccess(std::string_view code);

}  // namespace vernier

#endif  // VERNIER_EDGE_CALL_RECORD_H_
