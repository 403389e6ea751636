#include "cli/live/display_area.h"

#include <cstdlib>
#include <string>

#include "absl/strings/ascii.h"

namespace vernier {

Glyphs GlyphsOf(const char* lc_all, const char* lc_ctype, const char* lang) {
  for (const char* variable : {lc_all, lc_ctype, lang}) {
    if (variable == nullptr || variable[0] == '\0') continue;
    const std::string locale = absl::AsciiStrToLower(std::string(variable));
    const bool is_utf8 = locale.find("utf-8") != std::string::npos ||
                         locale.find("utf8") != std::string::npos;
    return is_utf8 ? Glyphs::kBlocks : Glyphs::kAscii;
  }
  return Glyphs::kAscii;
}

Glyphs GlyphsHere() {
  return GlyphsOf(std::getenv("LC_ALL"), std::getenv("LC_CTYPE"),
                  std::getenv("LANG"));
}

}  // namespace vernier
