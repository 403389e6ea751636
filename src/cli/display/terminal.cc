#include "cli/display/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "absl/strings/numbers.h"
#include "cli/display/text_table.h"

namespace vernier {
namespace {

constexpr unsigned kLargest = 10'000;
constexpr unsigned kEndlessColumns = 1'000'000;

bool IsSet(const char* variable) {
  return variable != nullptr && variable[0] != '\0';
}

std::size_t FirstUsable(const char* variable, unsigned told,
                        std::size_t otherwise) {
  unsigned number = 0;
  if (IsSet(variable) && absl::SimpleAtoi(variable, &number) && number > 0 &&
      number <= kLargest) {
    return number;
  }
  return told > 0 ? told : otherwise;
}

}  // namespace

Terminal TerminalOf(bool is_terminal, const char* term, const char* no_color) {
  Terminal terminal;
  terminal.can_redraw =
      is_terminal && IsSet(term) && std::strcmp(term, "dumb") != 0;
  if (terminal.can_redraw && !IsSet(no_color)) {
    terminal.palette = Palette::kColours;
  }
  return terminal;
}

Terminal StandardOutput() {
  return TerminalOf(isatty(STDOUT_FILENO) == 1, std::getenv("TERM"),
                    std::getenv("NO_COLOR"));
}

TerminalSize SizeOf(const char* columns, const char* lines,
                    unsigned terminal_columns, unsigned terminal_rows) {
  const TerminalSize usual;
  return {FirstUsable(columns, terminal_columns, usual.columns),
          FirstUsable(lines, terminal_rows, usual.rows)};
}

TerminalSize StandardOutputSize() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  // A pipe or a file has no width.
  const unsigned columns =
      isatty(STDOUT_FILENO) == 1 ? size.ws_col : kEndlessColumns;
  return SizeOf(std::getenv("COLUMNS"), std::getenv("LINES"), columns,
                size.ws_row);
}

std::size_t TableWidth() {
  return isatty(STDOUT_FILENO) == 1 ? StandardOutputSize().columns : kAnyWidth;
}

}  // namespace vernier
