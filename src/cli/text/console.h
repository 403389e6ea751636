#ifndef VERNIER_CLI_DISPLAY_CONSOLE_H_
#define VERNIER_CLI_DISPLAY_CONSOLE_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"

namespace vernier {

/// The one way by which the verbs print, and so the one place that keeps a
/// terminal safe: names, notes, messages and paths are other people's texts,
/// whose control characters could move the cursor, rename the window or forge a
/// line. `stream` is stdout or stderr. False: the stream cannot be written.
/// Frames of a live display are the exception (cli/live/screen.h).

/// Writes text for people, with line breaks and tabs; all of it is made
/// Printable.
bool WriteText(std::FILE* stream, std::string_view text);

/// WriteText of a format, as printf's.
template <typename... Args>
bool PrintTo(std::FILE* stream, const absl::FormatSpec<Args...>& format,
             const Args&... args) {
  return WriteText(stream, absl::StrFormat(format, args...));
}

/// Writes what FormatTable and RenderLine made: their parts are Printable, and
/// their own colours stay.
bool WritePainted(std::FILE* stream, std::string_view text);

/// Writes text for programs: a pipe or a file gets the bytes as they are, a
/// terminal Printable ones.
bool WriteData(std::FILE* stream, std::string_view text);

/// What a terminal gets of a log, which comes in pieces. Programs may colour
/// their output and draw progress bars, so that colours (SGR sequences), line
/// breaks, tabs, backspaces and carriage returns stay; all that could move the
/// cursor elsewhere, change the window, the clipboard or the keyboard becomes
/// U+FFFD. Not thread-safe.
class TerminalLog {
 public:
  /// The text to show for one more piece. A sequence or a character that is not
  /// complete yet is held back.
  std::string Add(std::string_view piece);

  /// What was held back, and the end of the last colour.
  std::string Finish();

 private:
  std::string held_;  // At most kMostHeld bytes.
  bool is_coloured_ = false;
};

/// Writes pieces of logs: to a terminal as TerminalLog says, to a pipe or a
/// file as they are. Not thread-safe.
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
