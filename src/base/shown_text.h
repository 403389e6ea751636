#ifndef VERNIER_BASE_SHOWN_TEXT_H_
#define VERNIER_BASE_SHOWN_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier {

/// A value from outside as a message shows it: control characters escaped, and
/// of one longer than `longest` bytes only the beginning.
std::string ShowText(std::string_view text, std::size_t longest = 80);

}  // namespace vernier

#endif  // VERNIER_BASE_SHOWN_TEXT_H_
