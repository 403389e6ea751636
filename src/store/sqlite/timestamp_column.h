#ifndef VERNIER_STORE_SQLITE_TIMESTAMP_COLUMN_H_
#define VERNIER_STORE_SQLITE_TIMESTAMP_COLUMN_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace vernier {

/// Instants in the form of the columns named *_us: microseconds since 1970.

inline std::int64_t Micros(Timestamp time) {
  return time.time_since_epoch().count();
}

inline std::optional<std::int64_t> Micros(
    const std::optional<Timestamp>& time) {
  if (!time.has_value()) return std::nullopt;
  return Micros(*time);
}

inline Timestamp FromMicros(std::int64_t micros) {
  return Timestamp(std::chrono::microseconds(micros));
}

inline std::optional<Timestamp> FromMicros(
    const std::optional<std::int64_t>& micros) {
  if (!micros.has_value()) return std::nullopt;
  return FromMicros(*micros);
}

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_TIMESTAMP_COLUMN_H_
