#ifndef VERNIER_EDGE_HTTP_REQUEST_JSON_H_
#define VERNIER_EDGE_HTTP_REQUEST_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/json.h"
#include "edge/load_limiter.h"

namespace vernier {

/// The most values that the JSON of a request may have; an object or array in a
/// list counts twice. An empty object of three bytes takes a kilobyte, since
/// one library parses it, it is converted for another, and then checked.
inline constexpr std::int64_t kMaxValuesOfRequest = 200'000;

/// Above this number of values, the memory for parsing them counts, too.
inline constexpr std::int64_t kManyValues = 20'000;

/// The memory that is then counted, in bytes. With the longest body it is
/// within one caller's limit, but two such requests are not.
inline constexpr std::uint64_t kBytesOfManyValues = std::uint64_t{40} << 20;

/// Checks whether the body of a request may be parsed; call it before any
/// parser. `share` then holds the memory for parsing. Errors: INVALID_ARGUMENT
/// for JSON that is nested too deeply or has too many values; those of
/// LoadLimiter::Share::Hold. Linear, takes no memory.
absl::Status AdmitJson(std::string_view body, LoadLimiter::Share& share);

/// Returns the body of a request as an object; an empty body is one without
/// members. INVALID_ARGUMENT for anything else, and beyond the bounds of a
/// request.
absl::StatusOr<Json> ReadJsonObject(const std::string& body);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_REQUEST_JSON_H_
