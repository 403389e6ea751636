#include "cluster/hypertune_file.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "study/json.h"

namespace vernier {
namespace {

// Keys of the library's own. A metric of such a name is lost in the file.
bool IsFixedKey(const std::string& key) {
  return key == "timestamp" || key == "trial" || key == "global_step" ||
         key == "checkpoint_path";
}

std::optional<double> NumberFrom(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  double value = 0;
  // Takes "nan", "inf" and "-inf" in any case; too large becomes infinite.
  if (!absl::SimpleAtod(json.get<std::string>(), &value)) return std::nullopt;
  return value;
}

std::int64_t StepFrom(const Json& record) {
  const auto found = record.find("global_step");
  if (found == record.end()) return 0;
  if (found->is_number_integer()) return found->get<std::int64_t>();
  std::int64_t step = 0;
  if (found->is_string() &&
      absl::SimpleAtoi(found->get<std::string>(), &step)) {
    return step;
  }
  const std::optional<double> number = NumberFrom(*found);
  constexpr double kLimit = 9.2e18;  // Just below 2^63.
  if (!number || !(std::fabs(*number) < kLimit)) return 0;
  return static_cast<std::int64_t>(*number);
}

Timestamp TimeFrom(const Json& record) {
  const auto found = record.find("timestamp");
  if (found == record.end()) return {};
  const std::optional<double> seconds = NumberFrom(*found);
  constexpr double kLimit = 4e11;  // Year 14,000; in microseconds below 2^63.
  if (!seconds || !(std::fabs(*seconds) < kLimit)) return {};
  return Timestamp(std::chrono::microseconds(
      static_cast<std::int64_t>(std::llround(*seconds * 1e6))));
}

void AppendRecord(std::string_view line,
                  std::vector<Measurement>& measurements) {
  const absl::StatusOr<Json> record = ParseJson(line);
  if (!record.ok() || !record->is_object()) return;
  const std::int64_t step = StepFrom(*record);
  const Timestamp time = TimeFrom(*record);
  for (const auto& [key, value] : record->items()) {
    if (IsFixedKey(key)) continue;
    const std::optional<double> number = NumberFrom(value);
    if (number) measurements.push_back({key, step, time, *number});
  }
}

}  // namespace

std::vector<Measurement> ParseHypertuneFile(std::string_view contents,
                                            LastLine last_line) {
  std::vector<Measurement> measurements;
  while (!contents.empty()) {
    const std::size_t end = contents.find('\n');
    const std::string_view line = contents.substr(0, end);
    if (end == std::string_view::npos && last_line == LastLine::kMayGrow) break;
    if (line.size() <= kMaxMetricLine) AppendRecord(line, measurements);
    if (end == std::string_view::npos) break;
    contents.remove_prefix(end + 1);
  }
  return measurements;
}

}  // namespace vernier
