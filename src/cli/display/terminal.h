#ifndef VERNIER_CLI_DISPLAY_TERMINAL_H_
#define VERNIER_CLI_DISPLAY_TERMINAL_H_

#include <cstddef>

#include "cli/text/terminal_text.h"

namespace vernier {

/// The capabilities of standard output.
struct Terminal {
  bool can_redraw = false;  ///< Its cursor can be moved.
  Palette palette = Palette::kPlain;
};

/// Returns the capabilities of a terminal by its environment: a "dumb" or
/// unnamed one gets no escape sequences, and none gets colours if NO_COLOR is
/// set and not empty (no-color.org). Null means not set. Pure.
Terminal TerminalOf(bool is_terminal, const char* term, const char* no_color);

/// Returns the capabilities of standard output.
Terminal StandardOutput();

/// The columns and rows available for drawing.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// Returns $COLUMNS and $LINES, else the size that the terminal reports (0:
/// unknown), else 80 and 24. Null means not set. Pure.
TerminalSize SizeOf(const char* columns, const char* lines,
                    unsigned terminal_columns, unsigned terminal_rows);

/// Returns the current size of standard output. If it is not a terminal, lines
/// may have any width.
TerminalSize StandardOutputSize();

/// Returns the columns for a table on standard output: kAnyWidth in a pipe or a
/// file, whatever COLUMNS says, because a program may read it.
std::size_t TableWidth();

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_TERMINAL_H_
