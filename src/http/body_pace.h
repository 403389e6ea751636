#ifndef VERNIER_HTTP_BODY_PACE_H_
#define VERNIER_HTTP_BODY_PACE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace vernier {

/// Whether the body of a request comes fast enough. It may keep the server
/// waiting for `grace`. Waiting uses that time up, and each byte that comes
/// earns a little of it back, so that a body which comes at less than the least
/// rate ends soon, whatever it brought before. Only the time counts in which
/// the server waits for the client. Not thread-safe: its connection owns it.
class BodyPace {
 public:
  struct Limits {
    std::chrono::milliseconds grace{30000};
    std::uint64_t least_bytes_per_second = 512;  ///< >= 1.
    /// All the time that it may be waited for; none: as long as it is fast
    /// enough.
    std::optional<std::chrono::milliseconds> longest{};
  };

  explicit BodyPace(const Limits& limits)
      : limits_(limits), left_(limits.grace) {}

  /// `bytes` came, maybe none, after so long a wait. DEADLINE_EXCEEDED, which
  /// names the limit, if the body is too slow.
  absl::Status Add(std::chrono::microseconds waited, std::size_t bytes);

 private:
  const Limits limits_;
  std::chrono::microseconds left_;  // Of the grace.
  std::chrono::microseconds waited_{0};
};

}  // namespace vernier

#endif  // VERNIER_HTTP_BODY_PACE_H_
