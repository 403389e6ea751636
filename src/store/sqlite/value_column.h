#ifndef VERNIER_STORE_SQLITE_VALUE_COLUMN_H_
#define VERNIER_STORE_SQLITE_VALUE_COLUMN_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace vernier {

/// Values of metrics in the form of the columns named *_bits: a double's 64
/// bits as SQLite's integer, because SQLite stores a NaN as NULL.

inline std::int64_t BitsOf(double value) {
  return std::bit_cast<std::int64_t>(value);
}

inline double FromBits(std::int64_t bits) {
  return std::bit_cast<double>(bits);
}

/// The value of the column `kind` of a measurement: 1 for a finite value, 2 for
/// NaN, 3 and 4 for positive and negative infinity.
inline int KindOf(double value) {
  if (std::isfinite(value)) return 1;
  if (std::isnan(value)) return 2;
  return value > 0 ? 3 : 4;
}

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_VALUE_COLUMN_H_
