#include "cluster/metrics/metric_lines.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json_bounds.h"
#include "base/shown_text.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/python_json.h"
#include "study/metrics/reserved_name.h"

namespace vernier {
namespace {

constexpr std::string_view kStep = "step";
constexpr std::string_view kTime = "time";
constexpr std::string_view kAttributes = "attributes";

// Training lasts less than three years and clocks show dates after 1973, so a
// smaller time counts the seconds since training began.
constexpr double kMostElapsed = 1e8;

// The fields of a line that are not metrics.
struct LineHead {
  StepMark mark{StepUnit::kNone, 0, std::nullopt};
  Timestamp time{};  ///< 1970 if it does not say.
  std::chrono::microseconds elapsed{0};
};

const Json* FindValue(const Json& record, std::string_view key) {
  const auto found = record.find(std::string(key));
  return found == record.end() || found->is_null() ? nullptr : &*found;
}

// Returns nullopt and sets `problem` if a field cannot be read.
std::optional<LineHead> ReadHead(const Json& record, const std::string& where,
                                 std::string& problem) {
  LineHead head;
  if (const Json* step = FindValue(record, kStep)) {
    const std::optional<std::int64_t> number = WholeNumberOf(*step);
    if (!number) {
      problem =
          absl::StrCat("the step in ", where,
                       " is not a whole number of 64 bits: ", ShowJson(*step));
      return std::nullopt;
    }
    head.mark = {StepUnit::kStep, *number, std::nullopt};
  }
  if (const Json* time = FindValue(record, kTime)) {
    const std::optional<double> seconds = NumberOf(*time);
    const auto instant =
        seconds && *seconds >= 0 ? TimeOfSeconds(*seconds) : std::nullopt;
    if (!instant) {
      problem = absl::StrCat("the time in ", where,
                             " is not a number of seconds since 1970, or "
                             "since training began: ",
                             ShowJson(*time));
      return std::nullopt;
    }
    if (*seconds < kMostElapsed) {
      head.elapsed = instant->time_since_epoch();
    } else {
      head.time = *instant;
    }
  }
  return head;
}

}  // namespace

std::string MetricLinesReader::Where() const {
  const std::string behind =
      counts_from_ == 0 ? "" : absl::StrCat(" behind byte ", counts_from_);
  return absl::StrCat("line ", lines_, behind, " of ", source_);
}

bool MetricLinesReader::IsTuned(const std::string& metric) const {
  return std::find(metrics_.begin(), metrics_.end(), metric) != metrics_.end();
}

// Reports a line or value that may have been a value of a tuned metric.
void MetricLinesReader::NameMiss(std::string text, FileReading& reading) {
  later_miss_ = text;
  AddProblem(std::move(text), reading.problems);
}

void MetricLinesReader::NameLongLine(FileReading& reading) {
  NameMiss(absl::StrCat(Where(), " is longer than the ", kMaxMetricLine,
                        " bytes that are read"),
           reading);
}

std::int64_t MetricLinesReader::StepOf(const std::string& metric,
                                       const StepMark& mark,
                                       FileReading& reading) {
  auto scale = scales_.find(metric);
  if (scale == scales_.end()) {
    // Metrics beyond the limit keep the steps that they state.
    if (scales_.size() >= kMaxMetricsOfRecord) return mark.step;
    scale = scales_.try_emplace(metric, last_step_).first;
  }
  const bool had_conflict = !scale->second.conflict().empty();
  const bool had_step = scale->second.has_step();
  const std::int64_t stands = scale->second.Take(mark);
  const bool has_both =
      had_step ? mark.unit == StepUnit::kNone : scale->second.has_step();
  if (!had_conflict && !scale->second.conflict().empty() && has_both) {
    AddProblem(absl::StrCat("the values of \"", ShowText(metric),
                            "\" have a step in some lines of ", source_,
                            " and none in others, line ", lines_,
                            " for one; what has none stands one behind the "
                            "value before it"),
               reading.problems);
  }
  // An explicit step is kept as it is, even if it goes backwards.
  return mark.unit == StepUnit::kNone ? stands : mark.step;
}

void MetricLinesReader::TakeLine(std::string_view line, FileReading& reading) {
  constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
  if (lines_ == 1 && line.substr(0, kUtf8Mark.size()) == kUtf8Mark) {
    line.remove_prefix(kUtf8Mark.size());
  }
  line = TrimmedJson(line);
  if (line.empty()) return;
  const std::string where = Where();
  // Two more, because the step and the time are values, too.
  if (!CheckJsonBounds(line, kMaxMetricsOfRecord + 2).ok()) {
    NameMiss(absl::StrCat(where, " has more than ", kMaxMetricsOfRecord,
                          " values, or is nested too deeply"),
             reading);
    return;
  }
  const std::optional<Json> record = ParsePythonObject(line);
  if (!record) {
    NameMiss(absl::StrCat(where, " is not a JSON object: ", ShowText(line)),
             reading);
    is_truncated_ = true;  // If it is the last, and has no end.
    return;
  }
  std::string problem;
  const std::optional<LineHead> head = ReadHead(*record, where, problem);
  if (!head) {
    NameMiss(std::move(problem), reading);
    return;
  }
  const Json* const attributes = FindValue(*record, kAttributes);
  if (attributes != nullptr && attributes->is_object()) {
    for (const auto& [name, value] : attributes->items()) {
      reading.attributes.insert_or_assign(name, DumpJson(value));
    }
    if (record->size() == 1) return;
  }
  time_ = TimeBehind(time_, head->time);
  bool has_miss = false;
  for (const auto& [key, value] : record->items()) {
    if (IsReservedName(key, MetricSourceKind::kMetricFile)) continue;
    const bool is_tuned = IsTuned(key);
    const std::optional<double> number =
        is_tuned ? MetricValueOf(value) : NumberOf(value);
    if (number) {
      AddMeasurement({key, StepOf(key, head->mark, reading), time_, *number,
                      head->elapsed},
                     where, reading);
      if (is_tuned && !has_miss) later_miss_.clear();
    } else if (is_tuned) {
      has_miss = true;
      NameMiss(absl::StrCat("the value of \"", ShowText(key), "\" in ", where,
                            " is not a number: ", ShowJson(value)),
               reading);
    }
    if (!value.is_object() || key == kAttributes) continue;
    for (const std::string& metric : metrics_) {
      if (!value.contains(metric) || record->contains(metric)) continue;
      NameWithin(key, metric, where, reading);
    }
  }
}

void MetricLinesReader::NameWithin(const std::string& key,
                                   const std::string& metric,
                                   const std::string& where,
                                   FileReading& reading) {
  NameMiss(absl::StrCat("in ", where, ", \"", ShowText(metric),
                        "\" stands within \"", ShowText(key),
                        "\", where no metrics are looked for"),
           reading);
}

void MetricLinesReader::SkipHole(std::uint64_t end, FileReading& reading) {
  if (end <= offset_ + kMaxMetricLine) return;
  if (!is_in_long_line_) {
    ++lines_;
    NameLongLine(reading);
  }
  is_in_long_line_ = true;
  offset_ = end;
}

void MetricLinesReader::SkipTo(std::uint64_t offset) {
  if (offset <= offset_) return;
  offset_ = offset;
  counts_from_ = offset;
  lines_ = 0;
  is_in_long_line_ = true;
  // Offsets are a safe bound for steps and times alike, since a line has more
  // bytes than values of a metric.
  time_ = std::max(time_, PlaceTime(offset));
  last_step_ = std::max(last_step_, static_cast<std::int64_t>(offset));
  scales_.clear();
}

FileReading MetricLinesReader::Read(std::string_view bytes,
                                    LastLine last_line) {
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
        is_truncated_ = false;
        TakeLine(line, reading);
        is_truncated_ &= !has_end;
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
