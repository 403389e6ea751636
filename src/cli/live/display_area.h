#ifndef VERNIER_CLI_LIVE_DISPLAY_AREA_H_
#define VERNIER_CLI_LIVE_DISPLAY_AREA_H_

#include <cstddef>

#include "cli/text/terminal_text.h"

namespace vernier {

/// The characters that small charts are made of.
enum class Glyphs {
  kAscii,
  kBlocks,  ///< U+2581 to U+2588, of eight heights.
};

/// Returns whether a locale's encoding has block characters: if it is UTF-8, by
/// the first of the variables that is set and not empty. Null means not set.
/// Pure.
Glyphs GlyphsOf(const char* lc_all, const char* lc_ctype, const char* lang);

/// Returns the glyphs of this process's locale.
Glyphs GlyphsHere();

/// The area for a display.
struct DisplayArea {
  std::size_t columns = 79;
  std::size_t rows = 23;
  Palette palette = Palette::kPlain;
  Glyphs glyphs = Glyphs::kAscii;
};

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_DISPLAY_AREA_H_
