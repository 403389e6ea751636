#ifndef VERNIER_HTTP_BODY_PACE_H_
#define VERNIER_HTTP_BODY_PACE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace vernier {

/// Checks that the body of a request comes fast enough. The client has a budget
/// of waiting time, which starts at `grace`. Waiting uses the budget up, and
/// each byte earns a little of it back, so that a body that comes below the
/// least rate is ended soon, whatever came before. Only time in which the
/// server waits for the client counts. Not thread-safe: its connection owns it.
class BodyPace {
 public:
  struct Limits {
    std::chrono::milliseconds grace{30000};
    std::uint64_t least_bytes_per_second = 512;  ///< >= 1.
    /// The limit of the whole waiting time; unset if there is none as long as
    /// the body is fast enough.
    std::optional<std::chrono::milliseconds> longest{};
  };

  explicit BodyPace(const Limits& limits)
      : limits_(limits), left_(limits.grace) {}

  /// Records `bytes`, possibly none, that came after a wait. DEADLINE_EXCEEDED,
  /// which names the limit, if the body is too slow.
  absl::Status Add(std::chrono::microseconds waited, std::size_t bytes);

 private:
  const Limits limits_;
  std::chrono::microseconds left_;  // Waiting time that is left.
  std::chrono::microseconds waited_{0};
};

}  // namespace vernier

#endif  // VERNIER_HTTP_BODY_PACE_H_
