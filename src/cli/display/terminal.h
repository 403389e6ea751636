#ifndef VERNIER_CLI_DISPLAY_TERMINAL_H_
#define VERNIER_CLI_DISPLAY_TERMINAL_H_

#include <cstddef>

#include "cli/display/terminal_text.h"

namespace vernier {

/// What can be done where standard output goes.
struct Terminal {
  bool can_redraw = false;  ///< Its cursor can be moved.
  Palette palette = Palette::kPlain;
};

/// What the environment says of a terminal: none that is "dumb" or unnamed gets
/// escape sequences, and none gets colours where NO_COLOR is set to something
/// (no-color.org). Null: not set. Pure.
Terminal TerminalOf(bool is_terminal, const char* term, const char* no_color);

/// Standard output's.
Terminal StandardOutput();

/// Columns and rows to draw in.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// $COLUMNS and $LINES, else what the terminal says (0: it does not), else 80
/// and 24. Null: not set. Pure.
TerminalSize SizeOf(const char* columns, const char* lines,
                    unsigned terminal_columns, unsigned terminal_rows);

/// Standard output's, at this moment. What is no terminal is as wide as a line.
TerminalSize StandardOutputSize();

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TERMINAL_H_
