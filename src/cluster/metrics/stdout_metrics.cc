#include "cluster/metrics/stdout_metrics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/shown_text.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/line_words.h"
#include "cluster/metrics/mention_rank.h"
#include "cluster/metrics/printed_mark.h"
#include "cluster/metrics/printed_metrics.h"
#include "cluster/metrics/printed_number.h"
#include "cluster/metrics/printed_prefix.h"
#include "cluster/metrics/terminal_text.h"

namespace vernier {
namespace {

// Output is taken in two layers. The text between two carriage returns is a
// state, as progress bars print them; a line ends at its newline, and only one
// of its states is taken (EndLine), or one for each epoch (EndState). A line
// then goes through the patterns, or through FindPrintedMetric and PrintedTable
// for each metric. Nothing depends on how the bytes are cut into calls of Read.

std::string_view TrimmedLine(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Drops the last word of a cut text, since it may be half of a name or value.
void DropLastWord(std::string& text) {
  const std::size_t end = text.find_last_of(" \t");
  text.resize(end == std::string::npos ? 0 : end);
}

// Returns whether a text may state an epoch. Cheap, because progress bars print
// over a line often.
bool MayHaveEpoch(std::string_view text) {
  return text.find("poch") != std::string_view::npos ||
         text.find("POCH") != std::string_view::npos;
}

// Returns the epoch that a state of a progress bar belongs to.
std::optional<double> EpochOf(std::string_view text) {
  if (!MayHaveEpoch(text)) return std::nullopt;
  const StepMark mark = FindPrintedMark(text);
  if (mark.epoch.has_value() || mark.unit != StepUnit::kEpoch) {
    return mark.epoch;
  }
  return static_cast<double>(mark.step);
}

// Returns whether the word before a name is a call that lists settings, as in
// "Namespace(loss=2, lr=0.1)".
bool IsCall(std::string_view word) { return word.ends_with('('); }

// Returns the line's mark, which is computed once.
StepMark FindMark(std::string_view line, std::optional<StepMark>& mark) {
  if (!mark.has_value()) mark = FindPrintedMark(line);
  return *mark;
}

}  // namespace

StdoutMetricReader::StdoutMetricReader(const StdoutRules& rules,
                                       std::stop_token stop)
    : rules_(rules), stop_(std::move(stop)), printed_(rules.metrics.size()) {
  for (const std::string& metric : rules.metrics) {
    const std::string lower = absl::AsciiStrToLower(metric);
    names_.push_back({lower, absl::StrReplaceAll(lower, {{"_", " "}})});
  }
}

void StdoutMetricReader::SkipTo(std::uint64_t offset) {
  if (offset <= offset_) return;
  offset_ = offset;
  state_.clear();
  ForgetStates();
  last_epoch_.reset();
  is_cut_ = false;
  is_skipping_ = true;
}

void StdoutMetricReader::ForgetStates() {
  last_state_.clear();
  last_has_metric_ = false;
  named_state_.clear();
  says_metric_ = false;
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
    if (is_cut_) {
      DropLastWord(shown);
      if (long_line_.empty()) {
        long_line_ = absl::StrCat(Where(), " is longer than the ",
                                  kMaxStdoutLine, " bytes that are looked at");
      }
    }
    if (!IsBlank(shown)) {
      const std::optional<double> epoch = EpochOf(shown);
      const bool is_next_epoch = epoch.has_value() && last_epoch_.has_value() &&
                                 *epoch != *last_epoch_;
      if (is_next_epoch) {
        says_metric_ |= last_has_metric_;
        if (says_metric_) named_state_.clear();
        TakeLine(last_state_, reading);
        line_begin_ = state_begin_;
      }
      if (epoch.has_value()) last_epoch_ = epoch;
      const bool has_metric = MayHaveMetric(shown);
      if (!says_metric_ && last_has_metric_ && !has_metric) {
        named_state_ = std::move(last_state_);
      }
      last_state_ = std::move(shown);
      last_has_metric_ = has_metric;
    }
  }
  state_.clear();
  is_cut_ = false;
}

void StdoutMetricReader::EndLine(FileReading& reading) {
  is_skipping_ = false;
  EndState(reading);
  if (!named_state_.empty() && !last_has_metric_) last_state_ = named_state_;
  if (!last_state_.empty()) TakeLine(last_state_, reading);
  ForgetStates();
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
  // Adding the number of the value to the line's offset keeps places distinct:
  // a line has at least as many bytes as values of a metric.
  AddAt(name, mark, line_begin_ + line.taken[name]++, value, reading);
}

void StdoutMetricReader::AddAt(const std::string& metric, const StepMark& mark,
                               std::uint64_t place, double value,
                               FileReading& reading) {
  auto scale = scales_.find(metric);
  if (scale == scales_.end()) {
    if (scales_.size() >= kMaxMetricsOfRecord) return;
    scale = scales_.try_emplace(metric).first;
  }
  const auto missed = misses_.find(metric);
  if (missed != misses_.end()) missed->second.later.clear();
  const bool was_clear = scale->second.conflict().empty();
  const std::int64_t step = scale->second.Take(mark);
  AddMeasurement({metric, step, PlaceTime(place), value}, Where(), reading);
  if (was_clear && !scale->second.conflict().empty()) {
    AddProblem(absl::StrCat("the values of \"", ShowText(metric),
                            "\" are counted on in their order from ", Where(),
                            " on, because it says ", scale->second.conflict(),
                            ": it stands at ", step),
               reading.problems);
  }
}

// Records a mention without a value. Returns whether it is the first of its
// kind.
bool StdoutMetricReader::IsNewMiss(const std::string& metric, NoValue why,
                                   std::string text) {
  auto missed = misses_.find(metric);
  if (missed == misses_.end()) {
    if (misses_.size() >= kMaxMetricsOfRecord) return false;
    missed = misses_.try_emplace(metric).first;
  }
  auto& [kinds, later] = missed->second;
  later = std::move(text);
  const bool is_known =
      std::any_of(kinds.begin(), kinds.end(),
                  [&](const auto& kind) { return kind.first == why; });
  if (!is_known) kinds.emplace_back(why, later);
  return !is_known;
}

void StdoutMetricReader::TakeMatches(const MetricPattern& pattern, Line& line,
                                     FileReading& reading) {
  std::string text(line.text.substr(0, kMaxPatternLine));
  if (text.size() < line.text.size()) DropLastWord(text);
  for (const PatternMatch& match : pattern.FindAll(text, stop_)) {
    const std::string_view name =
        pattern.metric().empty() ? match.name : pattern.metric();
    const std::optional<double> value = PrintedValue(TrimmedLine(match.value));
    if (!value) {
      std::string miss =
          absl::StrCat("the value of \"", ShowText(name), "\" in ", Where(),
                       " is not a number: ", ShowText(match.value));
      const NoValue why = WhyNoPrintedValue(TrimmedLine(match.value));
      if (IsNewMiss(std::string(name), why, miss)) {
        AddProblem(std::move(miss), reading.problems);
      }
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

PrintedMetric StdoutMetricReader::FindMetric(std::string_view line,
                                             std::size_t metric) {
  const std::string& name = rules_.metrics[metric];
  Printed& printed = printed_[metric];
  PrintedMetric own = FindPrintedMetric(line, name);
  const bool is_own = own.value.has_value() && !own.is_other;
  const bool is_part =
      !own.before.empty() || own.miss == NoValue::kSeveralWords;
  printed.is_in_its_case |= is_own && !is_part;
  const bool is_found = is_own || (own.miss.has_value() && !own.is_prose);
  if (is_found && (!is_part || printed.is_in_its_case)) return own;
  PrintedMetric any = FindPrintedMetric(line, name, LetterCase::kDoesNotMatter);
  // Of "Loss: 1.5 | Recon loss: 0.3" the first is it.
  if (is_found) {
    return any.value && !any.is_other && any.before.empty() ? any : own;
  }
  const Names& names = names_[metric];
  if (!any.value && !any.miss && names.spoken != names.lower) {
    any = FindPrintedMetric(line, names.spoken, LetterCase::kDoesNotMatter);
  }
  if (!printed.is_in_its_case || any.is_sentence) return any;
  if (!any.value.has_value() || any.is_other) return own;
  own.miss = NoValue::kOtherLetters;
  own.is_prose = false;
  return own;
}

bool StdoutMetricReader::MayHaveMetric(std::string_view text) const {
  if (names_.empty()) return false;
  const std::string lower = absl::AsciiStrToLower(std::string(text));
  return std::any_of(names_.begin(), names_.end(), [&](const Names& names) {
    return lower.find(names.lower) != std::string::npos ||
           lower.find(names.spoken) != std::string::npos;
  });
}

// Returns whether a word before the metric's name turns its value into another
// quantity: it does if the name was printed without such a word before.
bool StdoutMetricReader::IsOtherWord(const std::string& word,
                                     Printed& printed) {
  constexpr std::size_t kMostWords = 20;
  if (word.empty()) {
    printed.is_plain = true;
  } else if (!printed.is_plain && printed.before.size() < kMostWords) {
    printed.before.insert(word);
  }
  return !word.empty() && printed.is_plain && !printed.before.contains(word);
}

// Converts between fractions and percentages, so that all values are in the
// unit of the first one. A value in another unit is recorded as a miss.
void StdoutMetricReader::CheckUnit(const std::string& metric,
                                   PrintedMetric& found, Printed& printed,
                                   FileReading& reading) {
  constexpr std::string_view kPercent = "%";
  if (!std::isfinite(*found.value)) return;
  const std::string& unit = found.unit;
  const std::string first = printed.unit.value_or(unit);
  const bool is_percent = unit == kPercent;
  if (!printed.unit || first.empty()) printed.unit = is_percent ? first : unit;
  const double last = std::exchange(printed.last, *found.value);
  if (unit == first) return;
  if (!is_percent && first != kPercent) {
    if (unit.empty() || first.empty()) return;
    found.value.reset();
    found.miss = NoValue::kOtherUnit;
    return;
  }
  // A fraction is at most 1; a larger number is not one.
  const double fraction = is_percent ? last : *found.value;
  if (std::fabs(fraction) > 1) return;
  constexpr double kOfPercent = 100;
  *found.value =
      is_percent ? *found.value / kOfPercent : *found.value * kOfPercent;
  printed.last = *found.value;
  if (std::exchange(printed.is_mixed, true)) return;
  AddProblem(absl::StrCat("the values of \"", ShowText(metric),
                          "\" are printed with and without % from ", Where(),
                          " on: they count as ",
                          is_percent ? "fractions" : "percentages"),
             reading.problems);
}

void StdoutMetricReader::TakeMetrics(Line& line, FileReading& reading) {
  const bool is_open =
      std::any_of(printed_.begin(), printed_.end(),
                  [](const Printed& printed) { return printed.open; });
  // Most lines have no metric.
  if (!is_open && !table_.MayTake(line.text) && !MayHaveMetric(line.text)) {
    return;
  }
  const PrintedTable::Row row = table_.Take(line.text, rules_.metrics);
  if (!row.named.empty()) numbers_heading_ = line.is_numbered;
  if (!row.cells.empty() && line.is_numbered && !numbers_heading_) {
    line.is_of_other_process = false;  // It is the number of the row.
    line.is_second = false;
  }
  for (std::size_t i = 0; i < rules_.metrics.size(); ++i) {
    TakeMetric(line, i, row, reading);
  }
}

// Takes what a table says of the metric in the line, if that has nothing else.
void StdoutMetricReader::TakeCells(Line& line, std::size_t metric,
                                   const PrintedTable::Row& row,
                                   PrintedMetric& found,
                                   std::optional<StepMark>& mark) {
  const bool is_named =
      std::find(row.named.begin(), row.named.end(), metric) != row.named.end();
  if (is_named) NoteHeading(line, metric);
  for (const PrintedTable::Cell& cell : row.cells) {
    if (cell.metric != metric) continue;
    printed_[metric].heading.clear();
    if (found.value.has_value()) continue;
    found.value = cell.value;
    if (!cell.value) {
      found.miss = WhyNoPrintedValue(cell.text);
      found.miss_text = std::string(cell.text);
      found.is_prose = false;
    } else {
      found.miss.reset();
    }
    if (row.mark.unit != StepUnit::kNone) mark = row.mark;
  }
}

void StdoutMetricReader::TakeMetric(Line& line, std::size_t metric,
                                    const PrintedTable::Row& row,
                                    FileReading& reading) {
  const std::string& name = rules_.metrics[metric];
  Printed& printed = printed_[metric];
  PrintedMetric found = FindMetric(line.text, metric);
  const bool is_second = line.is_second && !found.is_other && !row.is_of_part;
  found.is_other |= line.is_of_other_process || row.is_of_part ||
                    line.section == SectionKind::kOther;
  const bool is_of_training = line.section == SectionKind::kTraining ||
                              row.is_training || line.is_of_training_logger;
  // A name such as "val_loss" says itself of which data it is.
  found.is_training |= is_of_training && !NamesASet(name);
  std::optional<StepMark> mark;
  if (const auto open = std::exchange(printed.open, std::nullopt)) {
    const auto value = PrintedValueAlone(line.text);
    if (value && !found.value) {
      found.value = value;
      mark = FindMark(line.text, line.mark);
      if (mark->unit == StepUnit::kNone) mark = open->mark;
    } else {
      Close(metric, *open);
    }
  }
  TakeCells(line, metric, row, found, mark);
  if (found.value && found.is_training && printed.is_measured) {
    // Most programs say both in turn, and the last of them may be this one.
    if (++printed.trainings < 2) return;
    found.value.reset();
    found.miss = NoValue::kTraining;
  }
  if (found.value && !found.is_other) {
    if (IsOtherWord(found.before, printed)) {
      found.value.reset();
      found.miss = NoValue::kOtherWord;
    } else {
      printed.is_measured |= !found.is_training && !IsCall(found.before);
      CheckUnit(name, found, printed, reading);
    }
  }
  if (found.value && is_second) {
    printed.second =
        Held{FindMark(line.text, line.mark), line_begin_, *found.value};
  }
  if (found.value && found.is_other) {
    Hold(line, *found.value, printed);
  } else if (found.value) {
    printed.is_any = true;
    printed.heading.clear();
    printed.trainings = 0;
    printed.held.clear();
    NoteBeside(name, found.beside, printed, reading);
    NoteWords(name, printed, reading);
    if (!mark) mark = FindMark(line.text, line.mark);
    Add(line, name, *mark, *found.value, reading);
  }
  if (found.miss) TakeMiss(line, metric, found);
}

void StdoutMetricReader::Hold(Line& line, double value, Printed& printed) {
  constexpr std::size_t kMostHeld = 1000;
  if (printed.is_any) return;
  if (printed.held.size() == kMostHeld) printed.held.pop_back();
  printed.held.push_back({FindMark(line.text, line.mark), line_begin_, value});
}

// Says once that each value had another word before the name, so that none is
// known to be the metric itself.
void StdoutMetricReader::NoteWords(const std::string& metric, Printed& printed,
                                   FileReading& reading) {
  if (printed.is_plain || printed.before.size() < 2) return;
  if (std::exchange(printed.has_words, true)) return;
  AddProblem(
      absl::StrCat("the values of \"", ShowText(metric),
                   "\" have different words before the name, \"",
                   ShowText(*printed.before.begin()), "\" and \"",
                   ShowText(*printed.before.rbegin()), "\" up to ", Where(),
                   ": the last value counts, whichever it is of"),
      reading.problems);
}

// Says once that of two numbers the first counts: of "0.5 (0.4)" many programs
// mean the second, the average.
void StdoutMetricReader::NoteBeside(const std::string& metric,
                                    const std::string& beside, Printed& printed,
                                    FileReading& reading) {
  if (beside.empty() || std::exchange(printed.is_beside, true)) return;
  AddProblem(
      absl::StrCat("the values of \"", ShowText(metric),
                   "\" have another number behind them, such as ", beside,
                   " in ", Where(), ": the one before it counts"),
      reading.problems);
}

// At the end of the output, held values count: there was no better one.
void StdoutMetricReader::End(FileReading& reading) {
  for (std::size_t i = 0; i < printed_.size(); ++i) {
    if (const auto open = std::exchange(printed_[i].open, std::nullopt)) {
      Close(i, *open);
    }
    CloseHeading(i);
  }
  for (std::size_t i = 0; i < printed_.size(); ++i) {
    if (printed_[i].second && printed_[i].is_any) {
      AddProblem(absl::StrCat("the value of \"", ShowText(rules_.metrics[i]),
                              "\" in the second line that begins with a "
                              "number does not count, since it may be of "
                              "another process"),
                 reading.problems);
    }
    if (!printed_[i].held.empty()) {
      AddProblem(absl::StrCat("\"", ShowText(rules_.metrics[i]),
                              "\" is printed only as the best value, by "
                              "another process than the first, or the like, "
                              "which counts therefore"),
                 reading.problems);
    }
    for (const Held& held : std::exchange(printed_[i].held, {})) {
      printed_[i].is_any = true;
      AddAt(rules_.metrics[i], held.mark, held.place, held.value, reading);
    }
  }
}

// Notes that a table begins in which the metric has a column.
void StdoutMetricReader::NoteHeading(Line& line, std::size_t metric) {
  CloseHeading(metric);
  printed_[metric].heading = MissText(metric, NoValue::kNoRow, "", line.text);
}

// Ends the wait for a row of a table. A program without any value has other
// misses.
void StdoutMetricReader::CloseHeading(std::size_t metric) {
  std::string miss = std::exchange(printed_[metric].heading, "");
  if (miss.empty() || !printed_[metric].is_any) return;
  IsNewMiss(rules_.metrics[metric], NoValue::kNoRow, std::move(miss));
}

std::string StdoutMetricReader::MissText(std::size_t metric, NoValue why,
                                         std::string_view text,
                                         std::string_view line) const {
  return absl::StrCat(Where(), " names \"", ShowText(rules_.metrics[metric]),
                      "\" without a value that can be read (",
                      DescribeNoValue(why, text), "): ", ShowText(line));
}

// Ends the wait for a value that did not come.
void StdoutMetricReader::Close(std::size_t metric, const Open& open) {
  const std::string& name = rules_.metrics[metric];
  Printed& printed = printed_[metric];
  if (open.is_prose && (printed.is_any || misses_.contains(name))) return;
  printed.miss = open.miss;
  if (!open.is_prose) IsNewMiss(name, NoValue::kNothing, open.miss);
}

void StdoutMetricReader::TakeMiss(Line& line, std::size_t metric,
                                  const PrintedMetric& found) {
  const std::string& name = rules_.metrics[metric];
  Printed& printed = printed_[metric];
  const bool is_open = found.miss == NoValue::kNothing;
  // Prose is shown only if there is no better evidence.
  if (found.is_prose && !is_open &&
      (printed.is_any || misses_.contains(name))) {
    return;
  }
  std::string miss = MissText(metric, *found.miss, found.miss_text, line.text);
  if (is_open) {
    printed.open =
        Open{FindMark(line.text, line.mark), std::move(miss), found.is_prose};
  } else if (found.is_prose) {
    printed.miss = std::move(miss);
  } else {
    printed.miss = miss;
    IsNewMiss(name, *found.miss, std::move(miss));
  }
}

// Returns whether a printed name is that of a metric of the rules.
bool StdoutMetricReader::IsAsked(const std::string& name) const {
  const std::string lower = absl::AsciiStrToLower(name);
  return std::any_of(names_.begin(), names_.end(), [&](const Names& names) {
    return lower == names.lower || lower == names.spoken;
  });
}

bool StdoutMetricReader::LacksAny() const {
  return std::any_of(printed_.begin(), printed_.end(),
                     [](const Printed& printed) { return !printed.is_any; });
}

void StdoutMetricReader::RememberOthers(Line& line) {
  for (const auto& pair : PrintedPairs(line.text, kMaxOtherNames)) {
    const auto& name = pair.first;
    if (IsAsked(name)) continue;
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

// Finds out whether another process than the first printed the line. A number
// and a colon at its beginning may be that of a process or of a step: where
// three lines or more count up from 0, each number once, they are of steps.
void StdoutMetricReader::NoteProcess(Line& line, FileReading& reading) {
  constexpr int kFewestCounted = 3;
  const std::optional<std::string_view> process = ProcessOf(line.text);
  if (!process.has_value()) return;
  line.is_of_other_process =
      process->find_first_of("123456789") != std::string_view::npos;
  line.is_numbered = process->ends_with(':');
  if (!line.is_numbered || numbers_processes_) return;
  const bool is_known = numbered_ > 0;
  if (!is_known && line.is_of_other_process) {
    line.is_of_other_process = false;  // They do not begin with 0.
    return;
  }
  const auto number =
      PrintedWholeNumber(process->substr(0, process->size() - 1));
  if (is_known && number.value_or(0) <= last_number_) {
    numbers_processes_ = true;
    for (Printed& printed : printed_) printed.second.reset();
    return;
  }
  last_number_ = number.value_or(0);
  ++numbered_;
  line.is_second = numbered_ == 2;
  line.is_of_other_process = line.is_second;
  if (numbered_ == kFewestCounted) TakeSeconds(reading);
}

// Takes the values that waited for a third line.
void StdoutMetricReader::TakeSeconds(FileReading& reading) {
  for (std::size_t i = 0; i < printed_.size(); ++i) {
    const auto second = std::exchange(printed_[i].second, std::nullopt);
    if (!second) continue;
    printed_[i].is_any = true;
    AddAt(rules_.metrics[i], second->mark, second->place, second->value,
          reading);
    AddProblem(absl::StrCat("lines with \"", ShowText(rules_.metrics[i]),
                            "\" begin with numbers that count up from 0:, and "
                            "are read as steps; as those of processes they "
                            "would come again"),
               reading.problems);
  }
}

void StdoutMetricReader::TakeLine(std::string_view text, FileReading& reading) {
  Line line{text, std::nullopt, {}};
  for (const MetricPattern& pattern : rules_.patterns) {
    TakeMatches(pattern, line, reading);
  }
  text = BehindActor(text);
  if (IsBlank(text)) return;
  line.text = text;
  line.section = section_.Take(text);
  // Where a logger is named for other data, one named "train" is for that.
  const std::string logger = LoggerOf(text);
  has_data_logger_ |= IsDataWord(logger) && !IsTrainingWord(logger);
  line.is_of_training_logger =
      has_data_logger_ && IsDataWord(logger) && IsTrainingWord(logger);
  NoteProcess(line, reading);
  const std::string plain = WithPlainSigns(text);
  line.text = plain;
  TakeMetrics(line, reading);
  if (LacksAny()) RememberOthers(line);
}

std::vector<std::string> StdoutMetricReader::Misses() const {
  std::vector<std::string> misses;
  for (std::size_t i = 0; i < printed_.size(); ++i) {
    if (!printed_[i].is_any) {
      if (!printed_[i].miss.empty()) misses.push_back(printed_[i].miss);
      continue;
    }
    const auto missed = misses_.find(rules_.metrics[i]);
    if (missed == misses_.end()) continue;
    for (const auto& [why, text] : missed->second.kinds) misses.push_back(text);
  }
  if (!long_line_.empty()) misses.push_back(long_line_);
  return misses;
}

std::map<std::string, std::string> StdoutMetricReader::LaterMisses() const {
  std::map<std::string, std::string> later;
  for (const auto& [metric, missed] : misses_) {
    if (missed.later.empty() || !scales_.contains(metric)) continue;
    later.emplace(metric, missed.later);
  }
  return later;
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
  if (last_line == LastLine::kIsDone) End(reading);
  return reading;
}

}  // namespace vernier
