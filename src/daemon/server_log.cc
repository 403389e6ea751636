#include "daemon/server_log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{10} << 20;
constexpr std::size_t kOldFiles = 2;

std::string_view Name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "info";
}

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

void AppendValue(std::string_view value, std::string* line) {
  const bool plain =
      !value.empty() && std::none_of(value.begin(), value.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '=' ||
               c == '\\';
      });
  if (plain) {
    line->append(value);
    return;
  }
  line->push_back('"');
  for (const char c : value) {
    if (c == '\n') {
      line->append("\\n");
    } else if (c == '"' || c == '\\') {
      line->push_back('\\');
      line->push_back(c);
    } else if (static_cast<unsigned char>(c) < ' ') {
      line->push_back(' ');
    } else {
      line->push_back(c);
    }
  }
  line->push_back('"');
}

}  // namespace

struct ServerLog::Sink {
  Sink(spdlog::sink_ptr sink, LogFormat line_format)
      : format(line_format), logger("vernier", std::move(sink)) {}
  const LogFormat format;
  spdlog::logger logger;
};

absl::StatusOr<LogFormat> ParseLogFormat(std::string_view text) {
  if (text == "logfmt") return LogFormat::kLogfmt;
  if (text == "json") return LogFormat::kJson;
  return absl::InvalidArgumentError(absl::StrCat(
      "log format must be logfmt or json: \"", std::string(text), "\""));
}

absl::StatusOr<LogLevel> ParseLogLevel(std::string_view text) {
  for (LogLevel level : {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning,
                         LogLevel::kError}) {
    if (text == Name(level)) return level;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("log level must be debug, info, warning or error: \"",
                   std::string(text), "\""));
}

std::string FormatLogLine(LogLevel level, std::string_view message,
                          const std::vector<LogField>& fields) {
  std::string line("level=");
  line.append(Name(level)).append(" msg=");
  AppendValue(message, &line);
  for (const LogField& field : fields) {
    line.append(" ").append(field.key).append("=");
    AppendValue(field.value, &line);
  }
  return line;
}

std::string FormatJsonLogLine(LogLevel level, std::string_view message,
                              const std::vector<LogField>& fields) {
  const auto quoted = [](std::string_view text) {
    return DumpJson(Json(std::string(text)));
  };
  std::string line = absl::StrCat("\"level\":\"", std::string(Name(level)),
                                  "\",\"message\":", quoted(message));
  for (const LogField& field : fields) {
    absl::StrAppend(&line, ",", quoted(field.key), ":",
                    field.is_number ? field.value : quoted(field.value));
  }
  return line + "}";
}

absl::StatusOr<std::unique_ptr<ServerLog>> ServerLog::Open(
    const Options& options) {
  try {
    spdlog::sink_ptr sink;
    if (options.file.empty()) {
      sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    } else {
      sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
          options.file, kMaxFileBytes, kOldFiles);
    }
    auto log = std::make_unique<Sink>(std::move(sink), options.format);
    log->logger.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        options.format == LogFormat::kJson
            ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ",%v)"
            : "time=%Y-%m-%dT%H:%M:%S.%eZ %v",
        spdlog::pattern_time_type::utc));
    log->logger.set_level(ToSpdlog(options.level));
    log->logger.flush_on(spdlog::level::debug);
    // A full disk must not cause exceptions, or messages on a closed terminal.
    log->logger.set_error_handler([](const std::string&) {});
    return std::unique_ptr<ServerLog>(new ServerLog(std::move(log)));
  } catch (const spdlog::spdlog_ex& error) {
    return absl::UnavailableError(
        absl::StrCat("cannot open the log: ", error.what()));
  }
}

ServerLog::ServerLog(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
ServerLog::~ServerLog() = default;

void ServerLog::Write(LogLevel level, std::string_view message,
                      const std::vector<LogField>& fields) {
  const auto spdlog_level = ToSpdlog(level);
  if (!sink_->logger.should_log(spdlog_level)) return;
  sink_->logger.log(spdlog_level,
                    sink_->format == LogFormat::kJson
                        ? FormatJsonLogLine(level, message, fields)
                        : FormatLogLine(level, message, fields));
}

}  // namespace vernier
