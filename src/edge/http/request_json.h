#ifndef VERNIER_EDGE_HTTP_REQUEST_JSON_H_
#define VERNIER_EDGE_HTTP_REQUEST_JSON_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "edge/http/load_limiter.h"

namespace vernier {

/// As many values as the JSON of a request may have; an object or array in a
/// list counts twice. Read by one library, translated for the other and looked
/// through for mistakes, an empty object of three bytes takes a kilobyte.
inline constexpr std::int64_t kMaxValuesOfRequest = 200'000;

/// Beyond so many values, what they become counts, too.
inline constexpr std::int64_t kManyValues = 20'000;

/// As how much that counts: with the longest body it is less than one caller
/// may have, but two of them are more.
inline constexpr std::uint64_t kBytesOfManyValues = std::uint64_t{40} << 20;

/// Whether the body of a request may be parsed, before anybody does. `share`
/// then has what that takes. Errors: INVALID_ARGUMENT for what is nested too
/// deeply or has too many values; those of LoadLimiter::Share::Hold. Linear,
/// takes no memory.
absl::Status AdmitJson(std::string_view body, LoadLimiter::Share& share);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_REQUEST_JSON_H_
