#include "base/shown_text.h"

#include <cstdio>

namespace vernier {

std::string ShowText(std::string_view text, std::size_t longest) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool starts_character = (byte & 0xc0) != 0x80;
    if (starts_character && shown.size() >= longest) return shown + "...";
    if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      shown += escape;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::string InQuotes(std::string_view text) {
  return "\"" + ShowText(text) + "\"";
}

}  // namespace vernier
