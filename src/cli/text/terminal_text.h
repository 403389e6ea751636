#ifndef VERNIER_CLI_DISPLAY_TERMINAL_TEXT_H_
#define VERNIER_CLI_DISPLAY_TERMINAL_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// Functions on text as a terminal shows it. All are pure, and take any bytes.

/// Returns the columns that a terminal uses for `text`: none for a combining
/// character and for an escape sequence of Painted, two for a wide one (East
/// Asian, emoji), one for anything else.
std::size_t DisplayWidth(std::string_view text);

/// Returns the beginning of `text` that fits into `width` columns; never a part
/// of a character. `text` must have no escape sequences.
std::string CutToWidth(std::string_view text, std::size_t width);

/// The treatment of line breaks. Every text of a user, a program or a file is
/// made printable before a terminal gets it, because it could move the cursor,
/// rename the window or forge a line.
enum class LineBreaks {
  kToBlanks,  ///< All of it becomes one line.
  kKeep,      ///< Line breaks and tabs stay.
};

/// Returns `text` without control characters (C0, DEL, C1), marks that reorder
/// text, and invalid UTF-8: white space becomes blanks, the rest U+FFFD.
std::string Printable(std::string_view text, LineBreaks breaks);

enum class Colour { kNone, kBold, kGreen, kRed, kYellow, kCyan };

/// Says whether colours may be printed.
enum class Palette { kPlain, kColours };

/// Returns `text` in a colour; unchanged in a plain palette or for kNone.
std::string Painted(std::string text, Colour colour, Palette palette);

/// A part of a line.
struct Span {
  std::string text;
  Colour colour = Colour::kNone;
};

/// Returns one line of parts, made printable, cut to `width` columns and
/// painted.
std::string RenderLine(const std::vector<Span>& spans, std::size_t width,
                       Palette palette);

/// Returns the colour of a job's, a trial's or a study's state, in any letter
/// case; kNone for other texts.
Colour ColourOfState(std::string_view state);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TERMINAL_TEXT_H_
