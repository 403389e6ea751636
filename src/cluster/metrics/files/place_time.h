#ifndef VERNIER_CLUSTER_METRICS_FILES_PLACE_TIME_H_
#define VERNIER_CLUSTER_METRICS_FILES_PLACE_TIME_H_

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace vernier {

/// What tells two values of one step apart, and which of them is the later one,
/// is their time. A source that has none, or one that stands still, gets times
/// that follow from its bytes alone, never from when they were read.

/// The time of what stands at a byte of a source without times: so many
/// microseconds after 1970, which nobody takes for a time.
inline Timestamp PlaceTime(std::uint64_t offset) {
  return Timestamp(
      std::chrono::microseconds(static_cast<std::int64_t>(offset)));
}

/// The time of the next value of a source: its own, but not before the first
/// microsecond behind the one before it.
inline Timestamp TimeBehind(Timestamp before, Timestamp own) {
  return std::max(own, before + std::chrono::microseconds(1));
}

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_PLACE_TIME_H_
