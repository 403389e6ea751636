#ifndef VERNIER_CLUSTER_METRICS_FILES_PLACE_TIME_H_
#define VERNIER_CLUSTER_METRICS_FILES_PLACE_TIME_H_

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace vernier {

/// Values of one step are told apart and ordered by their time. A source that
/// has no times, or whose clock stands still, gets times that follow from its
/// bytes alone, never from when they were read.

/// Returns the time of the data at a byte of a source without times: `offset`
/// microseconds after 1970, which cannot be mistaken for a real time.
inline Timestamp PlaceTime(std::uint64_t offset) {
  return Timestamp(
      std::chrono::microseconds(static_cast<std::int64_t>(offset)));
}

/// Returns the time of a source's next value: its own time, but at least one
/// microsecond after the value before it.
inline Timestamp TimeBehind(Timestamp before, Timestamp own) {
  return std::max(own, before + std::chrono::microseconds(1));
}

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_PLACE_TIME_H_
