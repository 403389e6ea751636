#ifndef VERNIER_BASE_BLANK_SEPARATED_H_
#define VERNIER_BASE_BLANK_SEPARATED_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace vernier {

/// Returns the words of a table that is written as one text, "a b c", with one
/// blank between them. They point into `text`.
inline std::vector<std::string_view> BlankSeparated(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace vernier

#endif  // VERNIER_BASE_BLANK_SEPARATED_H_
