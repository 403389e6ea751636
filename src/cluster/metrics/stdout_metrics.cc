#include "cluster/metrics/stdout_metrics.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "cluster/metrics/printed_metrics.h"
#include "cluster/metrics/terminal_text.h"

namespace vernier {
namespace {

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Neither a metric's name nor its value may be a half one.
void DropLastWord(std::string& text) {
  const std::size_t end = text.find_last_of(" \t");
  text.resize(end == std::string::npos ? 0 : end);
}

}  // namespace

void StdoutMetricReader::SkipTo(std::uint64_t offset) {
  if (offset <= offset_) return;
  offset_ = offset;
  state_.clear();
  last_state_.clear();
  is_cut_ = false;
  is_skipping_ = true;
}

void StdoutMetricReader::Append(std::string_view text) {
  if (is_skipping_) return;
  const std::size_t room = kMaxStdoutLine - state_.size();
  state_ += text.substr(0, room);
  is_cut_ |= text.size() > room;
}

void StdoutMetricReader::EndState() {
  if (!state_.empty()) {
    std::string shown = TerminalText(state_);
    if (is_cut_) DropLastWord(shown);
    if (!IsBlank(shown)) last_state_ = std::move(shown);
  }
  state_.clear();
  is_cut_ = false;
}

void StdoutMetricReader::EndLine(Timestamp read_at, FileReading& reading) {
  ++lines_;
  is_skipping_ = false;
  EndState();
  if (!last_state_.empty()) TakeLine(last_state_, read_at, reading);
  last_state_.clear();
}

void StdoutMetricReader::TakeMatches(const MetricPattern& pattern,
                                     std::string_view line, Timestamp read_at,
                                     FileReading& reading) const {
  const std::string where = absl::StrCat("line ", lines_, " of the output");
  std::optional<std::int64_t> line_step;  // Found out when it is needed.
  for (const PatternMatch& match : pattern.FindAll(line)) {
    const std::string_view name =
        pattern.metric().empty() ? match.name : pattern.metric();
    const std::optional<double> value = PrintedNumber(Trimmed(match.value));
    if (!value) {
      AddProblem(
          absl::StrCat("the value of \"", ShowText(name), "\" in ", where,
                       " is not a number: ", ShowText(match.value)),
          reading.problems);
      continue;
    }
    std::optional<std::int64_t> step;
    if (!match.step.empty()) {
      step = PrintedWholeNumber(Trimmed(match.step));
      if (!step) {
        AddProblem(absl::StrCat("the step in ", where,
                                " is not a whole number of 64 bits: ",
                                ShowText(match.step)),
                   reading.problems);
        continue;
      }
    }
    if (!step) {
      if (!line_step) line_step = FindPrintedStep(line).value_or(lines_);
      step = line_step;
    }
    AddMeasurement({std::string(name), *step, read_at, *value}, where, reading);
  }
}

std::optional<double> StdoutMetricReader::FindMetric(
    std::string_view line, const std::string& metric) {
  const auto value = FindPrintedMetric(line, metric);
  if (value) printed_.insert(metric);
  if (value || printed_.contains(metric)) return value;
  return FindPrintedMetric(line, metric, LetterCase::kDoesNotMatter);
}

void StdoutMetricReader::TakeLine(std::string_view line, Timestamp read_at,
                                  FileReading& reading) {
  for (const MetricPattern& pattern : rules_.patterns) {
    TakeMatches(pattern, line, read_at, reading);
  }
  // Most lines have no metric.
  if (line.find_first_of("=:") == std::string_view::npos) return;
  std::optional<std::int64_t> step;
  for (const std::string& metric : rules_.metrics) {
    const std::optional<double> value = FindMetric(line, metric);
    if (!value) continue;
    if (!step) step = FindPrintedStep(line).value_or(lines_);
    reading.measurements.push_back({metric, *step, read_at, *value});
  }
}

FileReading StdoutMetricReader::Read(std::string_view bytes, LastLine last_line,
                                     Timestamp read_at) {
  FileReading reading;
  while (!bytes.empty()) {
    if (reading.measurements.size() >= kMaxMeasurementsOfReading) {
      reading.has_more = true;
      return reading;
    }
    const std::size_t size =
        std::min(bytes.find_first_of("\r\n"), bytes.size());
    Append(bytes.substr(0, size));
    if (size == bytes.size()) {
      offset_ += size;
      break;
    }
    if (bytes[size] == '\n') {
      EndLine(read_at, reading);
    } else {
      EndState();
    }
    offset_ += size + 1;
    bytes.remove_prefix(size + 1);
  }
  if (last_line == LastLine::kIsDone &&
      !(state_.empty() && last_state_.empty())) {
    EndLine(read_at, reading);
  }
  return reading;
}

}  // namespace vernier
