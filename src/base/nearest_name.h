#ifndef VERNIER_BASE_NEAREST_NAME_H_
#define VERNIER_BASE_NEAREST_NAME_H_

#include <span>
#include <string>
#include <string_view>

namespace vernier {

/// Returns whether the names differ in case, '_' and '-' only.
bool IsSameName(std::string_view a, std::string_view b);

/// Returns the name of `candidates` that `text` most likely means, or "" if
/// none is close. A misspelling or a part of a name is close; case, '_' and '-'
/// do not count. O(candidates) for a long `text`.
std::string_view NearestName(std::string_view text,
                             std::span<const std::string_view> candidates);

/// Returns "; did you mean X?" for the nearest candidate, or "".
std::string DidYouMean(std::string_view text,
                       std::span<const std::string_view> candidates);

}  // namespace vernier

#endif  // VERNIER_BASE_NEAREST_NAME_H_
