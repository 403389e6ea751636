#ifndef VERNIER_CLI_DISPLAY_CONSOLE_H_
#define VERNIER_CLI_DISPLAY_CONSOLE_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"

namespace vernier {

/// All verbs print through these functions, which protect the terminal: names,
/// notes, messages and paths are other people's texts, whose control characters
/// could move the cursor, rename the window or forge a line. `stream` is stdout
/// or stderr. A result of false means that the stream cannot be written. Frames
/// of a live display are the exception (cli/live/screen.h).

/// Writes text for people, with line breaks and tabs; all of it is made
/// Printable.
bool WriteText(std::FILE* stream, std::string_view text);

/// WriteText of a format, as printf's.
template <typename... Args>
bool PrintTo(std::FILE* stream, const absl::FormatSpec<Args...>& format,
             const Args&... args) {
  return WriteText(stream, absl::StrFormat(format, args...));
}

/// Writes text that FormatTable or RenderLine made: its parts are Printable
/// already, and its colours are kept.
bool WritePainted(std::FILE* stream, std::string_view text);

/// Writes text for programs: a pipe or a file gets the bytes unchanged, a
/// terminal Printable ones.
bool WriteData(std::FILE* stream, std::string_view text);

/// Converts a log, which comes in pieces, for a terminal. Programs may colour
/// their output and draw progress bars, so colours (SGR sequences), line
/// breaks, tabs, backspaces and carriage returns are kept; everything that
/// could move the cursor elsewhere, or change the window, the clipboard or the
/// keyboard, becomes U+FFFD. Not thread-safe.
class TerminalLog {
 public:
  /// Returns the text to show for one more piece. An incomplete sequence or
  /// character is held back.
  std::string Add(std::string_view piece);

  /// Returns the text that was held back, and the end of the last colour.
  std::string Finish();

 private:
  std::string held_;  // At most kMostHeld bytes.
  bool is_coloured_ = false;
};

/// Writes pieces of logs: to a terminal through TerminalLog, to a pipe or a
/// file unchanged. Not thread-safe.
class LogWriter {
 public:
  explicit LogWriter(std::FILE* stream);

  bool Write(std::string_view piece);
  bool Finish();

 private:
  std::FILE* const stream_;
  const bool is_terminal_;
  TerminalLog log_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_CONSOLE_H_
