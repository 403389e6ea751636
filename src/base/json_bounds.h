#ifndef VERNIER_BASE_JSON_BOUNDS_H_
#define VERNIER_BASE_JSON_BOUNDS_H_

#include <cstdint>
#include <limits>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// As deep as JSON may be nested that anybody reads here. What walks a tree,
/// prints it or copies it calls itself for each level, and 50,000 of them are
/// more than a stack has.
inline constexpr int kMaxJsonDepth = 100;

/// As many values as a request may have: each takes a hundred bytes or more,
/// whoever reads it, and as little as three in the text.
inline constexpr std::int64_t kMaxRequestValues = 1'000'000;

/// OK, or INVALID_ARGUMENT for a text that has more than kMaxJsonDepth levels,
/// more than `max_values` values, or objects with so many members that keeping
/// their order would take seconds (about 20,000 in one). The text need not be
/// valid. ParseJson asks it first, and so does whoever has another library
/// read. Linear, and takes no memory. Pure.
absl::Status CheckJsonBounds(
    std::string_view text,
    std::int64_t max_values = std::numeric_limits<std::int64_t>::max());

}  // namespace vernier

#endif  // VERNIER_BASE_JSON_BOUNDS_H_
