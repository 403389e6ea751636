#ifndef VERNIER_BASE_JSON_BOUNDS_H_
#define VERNIER_BASE_JSON_BOUNDS_H_

#include <cstdint>
#include <limits>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// The deepest nesting that is accepted in JSON. Code that walks, prints or
/// copies a tree recurses once for each level, and 50,000 levels would overflow
/// the stack.
inline constexpr int kMaxJsonDepth = 100;

/// The most values that a request may have. Each takes a hundred bytes of
/// memory or more once it is parsed, and as little as three in the text.
inline constexpr std::int64_t kMaxRequestValues = 1'000'000;

/// Returns OK, or INVALID_ARGUMENT for a text that has more than kMaxJsonDepth
/// levels, more than `max_values` values, or objects with so many members that
/// keeping their order would take seconds (about 20,000 in one). The text need
/// not be valid. ParseJson calls it first, and so must code that passes the
/// text to another library. Linear, and takes no memory. Pure.
absl::Status CheckJsonBounds(
    std::string_view text,
    std::int64_t max_values = std::numeric_limits<std::int64_t>::max());

}  // namespace vernier

#endif  // VERNIER_BASE_JSON_BOUNDS_H_
