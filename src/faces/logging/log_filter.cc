#include "faces/logging/log_filter.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"

namespace vernier {
namespace {

constexpr std::array<std::pair<const char*, double>, 9> kSeverities = {{
    {"DEFAULT", 0},
    {"DEBUG", 100},
    {"INFO", 200},
    {"NOTICE", 300},
    {"WARNING", 400},
    {"ERROR", 500},
    {"CRITICAL", 600},
    {"ALERT", 700},
    {"EMERGENCY", 800},
}};

std::optional<double> NumberOfSeverity(const std::string& name) {
  for (const auto& [known, number] : kSeverities) {
    if (name == known) return number;
  }
  return std::nullopt;
}

// "severity>=ERROR" compares ranks, so numbers replace the names.
std::optional<std::string> RankOfSeverity(const std::string& name) {
  const auto number = NumberOfSeverity(absl::AsciiStrToUpper(name));
  if (!number.has_value()) return std::nullopt;
  return absl::StrCat(*number);
}

std::optional<FilterValue> Text(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return FilterValue{text, std::nullopt, false};
}

std::optional<FilterValue> Lookup(const LogEntry& entry,
                                  const std::string& key) {
  // Cloud Logging has two names for this kind of resource.
  if (key == "resource.type") {
    return FilterValue{"ml_job", std::nullopt, false};
  }
  if (key == "timestamp") {
    return FilterValue{FormatTimestamp(entry.at), std::nullopt, false,
                       entry.at};
  }
  if (key == "insertId") return Text(entry.insert_id);
  if (key == "severity") {
    return FilterValue{entry.line.severity,
                       NumberOfSeverity(entry.line.severity), true};
  }
  if (key == "resource.labels.job_id") return Text(entry.job_id);
  if (key == "resource.labels.task_name") return Text(entry.task_name);
  if (key == "labels.\"ml.googleapis.com/trial_id\"" ||
      key == "labels.trial_id") {
    return Text(entry.trial_id);
  }
  if (key == "jsonPayload.message" || key == "textPayload") {
    return Text(entry.line.message);
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<FilterExpression> ParseLogFilter(std::string_view text) {
  VERNIER_ASSIGN_OR_RETURN(FilterExpression filter,
                           FilterExpression::Parse(text));
  VERNIER_RETURN_IF_ERROR(filter.CheckTimes("timestamp"));
  filter.MapOperands("severity", &RankOfSeverity);
  return filter;
}

bool Fits(const FilterExpression& filter, const LogEntry& entry) {
  return filter.Matches(
      [&entry](const std::string& key) { return Lookup(entry, key); });
}

}  // namespace vernier
