#ifndef VERNIER_FACES_LOGGING_LOG_LINE_H_
#define VERNIER_FACES_LOGGING_LOG_LINE_H_

#include <string>
#include <string_view>

namespace vernier {

/// One line that a program printed, in the form of Cloud Logging.
struct LogLine {
  /// One of Cloud Logging's LogSeverity; INFO if the line has none.
  std::string severity = "INFO";
  std::string message;
  /// The other members of a line that is a JSON object, as a JSON object.
  std::string json;
};

/// Parses a line: a JSON object with `message` (or `msg`) and `severity` (or
/// `levelname`, `level`), or a text with one of the usual words for a level
/// near its beginning ("WARNING:root:", "[ERROR]", "2026-01-01 12:00:00,000 -
/// INFO -", glog's "E0101"). Bytes that are not UTF-8 are replaced. Pure.
LogLine ParseLogLine(std::string_view line);

}  // namespace vernier

#endif  // VERNIER_FACES_LOGGING_LOG_LINE_H_
