#ifndef VERNIER_BASE_SHOWN_TEXT_H_
#define VERNIER_BASE_SHOWN_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier {

/// Returns a value from outside in the form in which messages show it: control
/// characters are escaped, and a text longer than `longest` bytes is cut off.
std::string ShowText(std::string_view text, std::size_t longest = 80);

/// Returns ShowText between double quotes.
std::string InQuotes(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_BASE_SHOWN_TEXT_H_
