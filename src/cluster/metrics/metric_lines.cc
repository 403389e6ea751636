#include "cluster/metrics/metric_lines.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "cluster/metrics/python_json.h"

namespace vernier {
namespace {

constexpr std::string_view kStep = "step";
constexpr std::string_view kTime = "time";

// What one line says beside its metrics.
struct LineHead {
  std::int64_t step = 0;
  Timestamp time{};
};

const Json* FindValue(const Json& record, std::string_view key) {
  const auto found = record.find(std::string(key));
  return found == record.end() || found->is_null() ? nullptr : &*found;
}

// Nullopt after a problem.
std::optional<LineHead> ReadHead(const Json& record, const LineHead& otherwise,
                                 const std::string& where,
                                 FileReading& reading) {
  LineHead head = otherwise;
  if (const Json* step = FindValue(record, kStep)) {
    const std::optional<std::int64_t> number = WholeNumberOf(*step);
    if (!number) {
      AddProblem(
          absl::StrCat("the step in ", where,
                       " is not a whole number of 64 bits: ", ShowJson(*step)),
          reading.problems);
      return std::nullopt;
    }
    head.step = *number;
  }
  if (const Json* time = FindValue(record, kTime)) {
    const std::optional<double> seconds = NumberOf(*time);
    const auto instant = seconds ? TimeOfSeconds(*seconds) : std::nullopt;
    if (!instant) {
      AddProblem(absl::StrCat("the time in ", where,
                              " is not a number of seconds since 1970: ",
                              ShowJson(*time)),
                 reading.problems);
      return std::nullopt;
    }
    head.time = *instant;
  }
  return head;
}

std::string Where(std::int64_t line) {
  return absl::StrCat("line ", line, " of VERNIER_METRICS");
}

}  // namespace

void MetricLinesReader::NameLongLine(FileReading& reading) const {
  AddProblem(absl::StrCat(Where(lines_), " is longer than the ", kMaxMetricLine,
                          " bytes that are read"),
             reading.problems);
}

void MetricLinesReader::TakeLine(std::string_view line, Timestamp read_at,
                                 FileReading& reading) const {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (lines_ == 1 && line.substr(0, kUtf8Mark.size()) == kUtf8Mark) {
    line.remove_prefix(kUtf8Mark.size());
  }
  line = TrimmedJson(line);
  if (line.empty()) return;
  const std::string where = Where(lines_);
  // The step and the time are values, too.
  if (!CheckJsonBounds(line, kMaxMetricsOfRecord + 2).ok()) {
    AddProblem(absl::StrCat(where, " has more than ", kMaxMetricsOfRecord,
                            " values, or is nested too deeply"),
               reading.problems);
    return;
  }
  const std::optional<Json> record = ParsePythonObject(line);
  if (!record) {
    AddProblem(absl::StrCat(where, " is not a JSON object: ", ShowText(line)),
               reading.problems);
    return;
  }
  const std::optional<LineHead> head =
      ReadHead(*record, {lines_, read_at}, where, reading);
  if (!head) return;
  for (const auto& [key, value] : record->items()) {
    if (key == kStep || key == kTime) continue;
    const std::optional<double> number = NumberOf(value);
    if (number) {
      AddMeasurement({key, head->step, head->time, *number}, where, reading);
    }
  }
}

FileReading MetricLinesReader::Read(std::string_view bytes, LastLine last_line,
                                    Timestamp read_at) {
  FileReading reading;
  while (!bytes.empty()) {
    if (reading.measurements.size() >= kMaxMeasurementsOfReading) {
      reading.has_more = true;
      break;
    }
    const std::size_t end = bytes.find('\n');
    const bool has_end = end != std::string_view::npos;
    const std::string_view line = bytes.substr(0, end);
    const bool is_long = line.size() > kMaxMetricLine;
    if (!has_end && !is_long && !is_in_long_line_ &&
        last_line == LastLine::kMayGrow) {
      break;
    }
    if (!is_in_long_line_) {
      ++lines_;
      if (is_long) {
        NameLongLine(reading);
      } else {
        TakeLine(line, read_at, reading);
      }
    }
    is_in_long_line_ = !has_end && (is_long || is_in_long_line_);
    const std::size_t taken = has_end ? end + 1 : bytes.size();
    offset_ += taken;
    bytes.remove_prefix(taken);
  }
  return reading;
}

}  // namespace vernier
