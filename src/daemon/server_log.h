#ifndef VERNIER_DAEMON_SERVER_LOG_H_
#define VERNIER_DAEMON_SERVER_LOG_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// Parses "debug", "info", "warning" or "error"; else INVALID_ARGUMENT.
absl::StatusOr<LogLevel> ParseLogLevel(std::string_view text);

/// The format of a line.
enum class LogFormat {
  kLogfmt,  ///< time=... level=info msg="..." key=value
  kJson,    ///< One object: {"time": ..., "level": ..., "message": ..., ...}
};

/// Parses "logfmt" or "json"; else INVALID_ARGUMENT.
absl::StatusOr<LogFormat> ParseLogFormat(std::string_view text);

struct LogField {
  std::string key;
  std::string value;
  bool is_number = false;  ///< `value` is a JSON number.
};

/// The service's log, one line each:
///
///   time=2026-02-03T04:05:06.789Z level=info msg="listening" endpoint=unix:/d
///
/// Thread-safe. Never blocks for long and never fails: a full disk loses lines.
class ServerLog {
 public:
  struct Options {
    LogLevel level = LogLevel::kInfo;
    LogFormat format = LogFormat::kLogfmt;
    /// If empty, standard error. Otherwise a file that is rotated at 10 MiB,
    /// with two older ones kept.
    std::string file;
  };

  static absl::StatusOr<std::unique_ptr<ServerLog>> Open(
      const Options& options);
  ~ServerLog();

  void Write(LogLevel level, std::string_view message,
             const std::vector<LogField>& fields = {});

 private:
  struct Sink;
  explicit ServerLog(std::unique_ptr<Sink> sink);
  const std::unique_ptr<Sink> sink_;
};

/// Returns the text after the time: `level=info msg="..." key=value`. Values
/// with blanks, quotes or line breaks are quoted. Pure.
std::string FormatLogLine(LogLevel level, std::string_view message,
                          const std::vector<LogField>& fields);

/// Returns the text after the time of a JSON object, including its closing
/// brace: `"level":"info","message":"...","key":"value"}`. Invalid UTF-8 is
/// replaced. Pure.
std::string FormatJsonLogLine(LogLevel level, std::string_view message,
                              const std::vector<LogField>& fields);

}  // namespace vernier

#endif  // VERNIER_DAEMON_SERVER_LOG_H_
