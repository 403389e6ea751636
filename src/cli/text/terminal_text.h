#ifndef VERNIER_CLI_DISPLAY_TERMINAL_TEXT_H_
#define VERNIER_CLI_DISPLAY_TERMINAL_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// Text as a terminal shows it. All functions are pure, and take any bytes.

/// Columns that a terminal gives to `text`: none to a combining character and
/// to an escape sequence that Painted made, two to a wide one (East Asian,
/// emoji), one to anything else.
std::size_t DisplayWidth(std::string_view text);

/// The beginning of `text` that fits into `width` columns; never a part of a
/// character. `text` has no escape sequences.
std::string CutToWidth(std::string_view text, std::size_t width);

/// How line breaks are treated. Every text of a user, a program or a file is
/// made printable before a terminal gets it, because it could move the cursor,
/// rename the window or forge a line.
enum class LineBreaks {
  kToBlanks,  ///< All of it becomes one line.
  kKeep,      ///< Line breaks and tabs stay.
};

/// `text` without control characters (C0, DEL, C1), marks that reorder text,
/// and invalid UTF-8: blanks stand for white space, U+FFFD for the rest.
std::string Printable(std::string_view text, LineBreaks breaks);

enum class Colour { kNone, kBold, kGreen, kRed, kYellow, kCyan };

/// Whether colours may be printed.
enum class Palette { kPlain, kColours };

/// `text` in a colour; unchanged in a plain palette or for kNone.
std::string Painted(std::string text, Colour colour, Palette palette);

/// A part of a line.
struct Span {
  std::string text;
  Colour colour = Colour::kNone;
};

/// One line of parts, made printable, cut to `width` columns and painted.
std::string RenderLine(const std::vector<Span>& spans, std::size_t width,
                       Palette palette);

/// The colour of a job's, a trial's or a study's state, whatever its case;
/// kNone for other texts.
Colour ColourOfState(std::string_view state);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TERMINAL_TEXT_H_
