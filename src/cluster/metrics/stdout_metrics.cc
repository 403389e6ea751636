#include "cluster/metrics/stdout_metrics.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/printed_metrics.h"
#include "cluster/metrics/printed_number.h"
#include "cluster/metrics/terminal_text.h"

namespace vernier {
namespace {

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

std::string_view TrimmedLine(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Neither a metric's name nor its value may be a half one.
void DropLastWord(std::string& text) {
  const std::size_t end = text.find_last_of(" \t");
  text.resize(end == std::string::npos ? 0 : end);
}

// Whether a line can have an epoch, for lines that are printed over often.
bool MayHaveEpoch(std::string_view text) {
  return text.find("poch") != std::string_view::npos ||
         text.find("POCH") != std::string_view::npos;
}

// The epoch that a state of a progress bar is of.
std::optional<double> EpochOf(std::string_view text) {
  if (!MayHaveEpoch(text)) return std::nullopt;
  const StepMark mark = FindPrintedMark(text);
  if (mark.epoch.has_value() || mark.unit != StepUnit::kEpoch) {
    return mark.epoch;
  }
  return static_cast<double>(mark.step);
}

// The mark of a line, found once.
StepMark FindMark(std::string_view line, std::optional<StepMark>& mark) {
  if (!mark.has_value()) mark = FindPrintedMark(line);
  return *mark;
}

}  // namespace

StdoutMetricReader::StdoutMetricReader(const StdoutRules& rules,
                                       std::stop_token stop)
    : rules_(rules), stop_(std::move(stop)), printed_(rules.metrics.size()) {
  for (const std::string& metric : rules.metrics) {
    lower_names_.push_back(absl::AsciiStrToLower(metric));
  }
}

void StdoutMetricReader::SkipTo(std::uint64_t offset) {
  if (offset <= offset_) return;
  offset_ = offset;
  state_.clear();
  last_state_.clear();
  last_epoch_.reset();
  is_cut_ = false;
  is_skipping_ = true;
}

void StdoutMetricReader::Append(std::string_view text) {
  if (is_skipping_) return;
  const std::size_t room = kMaxStdoutLine - state_.size();
  state_ += text.substr(0, room);
  is_cut_ |= text.size() > room;
}

void StdoutMetricReader::EndState(FileReading& reading) {
  if (!state_.empty()) {
    std::string shown = TerminalText(state_);
    if (is_cut_) DropLastWord(shown);
    if (!IsBlank(shown)) {
      const std::optional<double> epoch = EpochOf(shown);
      const bool is_next_epoch = epoch.has_value() && last_epoch_.has_value() &&
                                 *epoch != *last_epoch_;
      if (is_next_epoch) {
        TakeLine(last_state_, reading);
        line_begin_ = state_begin_;
      }
      if (epoch.has_value()) last_epoch_ = epoch;
      last_state_ = std::move(shown);
    }
  }
  state_.clear();
  is_cut_ = false;
}

void StdoutMetricReader::EndLine(FileReading& reading) {
  is_skipping_ = false;
  EndState(reading);
  if (!last_state_.empty()) TakeLine(last_state_, reading);
  last_state_.clear();
  last_epoch_.reset();
  ++lines_;
}

std::string StdoutMetricReader::Where() const {
  return absl::StrCat("line ", lines_ + 1, " of the output");
}

void StdoutMetricReader::Add(Line& line, std::string_view metric,
                             const StepMark& mark, double value,
                             FileReading& reading) {
  const std::string name(metric);
  auto scale = scales_.find(name);
  if (scale == scales_.end()) {
    if (scales_.size() >= kMaxMetricsOfRecord) return;
    scale = scales_.try_emplace(name).first;
  }
  const bool was_clear = scale->second.conflict().empty();
  const std::int64_t step = scale->second.Take(mark);
  // A line has at least as many bytes as values of a metric.
  const std::uint64_t place = line_begin_ + line.taken[name]++;
  AddMeasurement({name, step, PlaceTime(place), value}, Where(), reading);
  if (was_clear && !scale->second.conflict().empty()) {
    AddProblem(absl::StrCat("the values of \"", ShowText(name),
                            "\" are counted on in their order from ", Where(),
                            " on, because it says ", scale->second.conflict(),
                            ": it stands at ", step),
               reading.problems);
  }
}

void StdoutMetricReader::TakeMatches(const MetricPattern& pattern, Line& line,
                                     FileReading& reading) {
  for (const PatternMatch& match : pattern.FindAll(line.text, stop_)) {
    const std::string_view name =
        pattern.metric().empty() ? match.name : pattern.metric();
    const std::optional<double> value = PrintedValue(TrimmedLine(match.value));
    if (!value) {
      AddProblem(
          absl::StrCat("the value of \"", ShowText(name), "\" in ", Where(),
                       " is not a number: ", ShowText(match.value)),
          reading.problems);
      continue;
    }
    StepMark mark;
    if (match.step.empty()) {
      mark = FindMark(line.text, line.mark);
    } else {
      const auto step = PrintedWholeNumber(TrimmedLine(match.step));
      if (!step) {
        AddProblem(absl::StrCat("the step in ", Where(),
                                " is not a whole number of 64 bits: ",
                                ShowText(match.step)),
                   reading.problems);
        continue;
      }
      mark = {StepUnit::kStep, *step, std::nullopt};
    }
    Add(line, name, mark, *value, reading);
  }
}

std::optional<double> StdoutMetricReader::FindMetric(std::string_view line,
                                                     std::size_t metric) {
  const std::string& name = rules_.metrics[metric];
  Printed& printed = printed_[metric];
  std::optional<double> value = FindPrintedMetric(line, name);
  printed.is_in_its_case |= value.has_value();
  if (!value && !printed.is_in_its_case) {
    value = FindPrintedMetric(line, name, LetterCase::kDoesNotMatter);
  }
  return value;
}

bool StdoutMetricReader::MayHaveMetric(const Line& line) const {
  return std::any_of(lower_names_.begin(), lower_names_.end(),
                     [&](const std::string& name) {
                       return line.lower.find(name) != std::string::npos;
                     });
}

void StdoutMetricReader::TakeMetrics(Line& line, FileReading& reading) {
  // Most lines have no metric.
  if (!table_.has_columns() && !MayHaveMetric(line)) return;
  const PrintedTable::Row row = table_.Take(line.text, rules_.metrics);
  for (std::size_t i = 0; i < rules_.metrics.size(); ++i) {
    const std::string& metric = rules_.metrics[i];
    Printed& printed = printed_[i];
    std::optional<double> value = FindMetric(line.text, i);
    std::optional<StepMark> mark;
    for (const PrintedTable::Cell& cell : row.cells) {
      if (value.has_value() || cell.metric != i) continue;
      value = cell.value;
      if (row.mark.unit != StepUnit::kNone) mark = row.mark;
    }
    if (value) {
      printed.is_any = true;
      if (!mark) mark = FindMark(line.text, line.mark);
      Add(line, metric, *mark, *value, reading);
    } else if (!printed.is_any) {
      const std::string why = WhyNoPrintedMetric(line.text, metric);
      if (why.empty()) continue;
      printed.miss = absl::StrCat(Where(), " names \"", ShowText(metric),
                                  "\" without a value that can be read (", why,
                                  "): ", ShowText(line.text));
    }
  }
}

bool StdoutMetricReader::LacksAny() const {
  return std::any_of(printed_.begin(), printed_.end(),
                     [](const Printed& printed) { return !printed.is_any; });
}

void StdoutMetricReader::RememberOthers(Line& line) {
  for (const auto& pair : PrintedPairs(line.text, kMaxOtherNames)) {
    const auto& name = pair.first;
    auto known = std::find_if(
        others_.begin(), others_.end(),
        [&](const Measurement& other) { return other.metric == name; });
    if (known == others_.end()) {
      if (others_.size() >= kMaxOtherNames) continue;
      known = others_.emplace(others_.end());
      known->metric = name;
    }
    const StepMark mark = FindMark(line.text, line.mark);
    known->value = pair.second;
    known->step = mark.step;
    known->reported_at = PlaceTime(line_begin_);
  }
}

void StdoutMetricReader::TakeLine(std::string_view text, FileReading& reading) {
  Line line{text, absl::AsciiStrToLower(std::string(text)), std::nullopt, {}};
  for (const MetricPattern& pattern : rules_.patterns) {
    TakeMatches(pattern, line, reading);
  }
  TakeMetrics(line, reading);
  if (LacksAny()) RememberOthers(line);
}

std::vector<std::string> StdoutMetricReader::Misses() const {
  std::vector<std::string> misses;
  for (const Printed& printed : printed_) {
    if (!printed.is_any && !printed.miss.empty()) {
      misses.push_back(printed.miss);
    }
  }
  return misses;
}

std::vector<Measurement> StdoutMetricReader::Others() const {
  return LacksAny() ? others_ : std::vector<Measurement>{};
}

FileReading StdoutMetricReader::Read(std::string_view bytes,
                                     LastLine last_line) {
  FileReading reading;
  while (!bytes.empty() && !stop_.stop_requested()) {
    if (reading.measurements.size() >= kMaxMeasurementsOfReading) {
      reading.has_more = true;
      return reading;
    }
    const std::size_t size =
        std::min(bytes.find_first_of("\r\n"), bytes.size());
    if (state_.empty()) state_begin_ = offset_;
    if (state_.empty() && last_state_.empty()) line_begin_ = offset_;
    Append(bytes.substr(0, size));
    if (size == bytes.size()) {
      offset_ += size;
      break;
    }
    if (bytes[size] == '\n') {
      EndLine(reading);
    } else {
      EndState(reading);
    }
    offset_ += size + 1;
    bytes.remove_prefix(size + 1);
  }
  if (last_line == LastLine::kIsDone &&
      !(state_.empty() && last_state_.empty())) {
    EndLine(reading);
  }
  return reading;
}

}  // namespace vernier
