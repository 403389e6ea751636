#include "cluster/metrics/csv_log_file.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/csv_reader.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/stable_digest.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/mention_rank.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

constexpr std::string_view kStepColumn = "step";
constexpr std::string_view kEpochColumn = "epoch";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr std::size_t kMostTail = 256;
// Rows behind them are new ones in a file that was begun again.
constexpr std::size_t kMostSeenRows = 100'000;

char CommaOf(std::string_view header) {
  for (const char comma : {',', ';', '\t'}) {
    if (header.find(comma) != std::string_view::npos) return comma;
  }
  return ',';
}

// Returns the cells of one row without blanks around them; nullopt if they
// cannot be told apart.
std::optional<std::vector<std::string>> CellsOf(std::string_view row,
                                                char comma) {
  CsvReader reader(row, comma);
  auto cells = reader.Next();
  if (!cells.ok() || !reader.is_at_end()) return std::nullopt;
  TrimCells(&*cells);
  return *std::move(cells);
}

// Returns the bytes of the first row with its end, which is no line end within
// quotes; 0 if the bytes end before. A quote that is not closed within the
// longest line opens nothing.
std::size_t RowSize(std::string_view bytes, char comma) {
  bool is_quoted = false;
  bool is_at_begin = true;  // Of a cell.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > kMaxMetricLine && is_quoted) return bytes.find('\n') + 1;
    const char c = bytes[i];
    if (c == '"' && (is_quoted || is_at_begin)) is_quoted = !is_quoted;
    if (c == '\n' && !is_quoted) return i + 1;
    // A doubled quote closes the cell and opens it again.
    is_at_begin = c == comma || (c == '"' && !is_quoted);
  }
  return 0;
}

bool IsUtf16(std::string_view bytes) {
  return bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
}

}  // namespace

bool IsCsvLogName(std::string_view name) {
  return absl::EndsWith({name.data(), name.size()}, ".csv");
}

// Takes the names of the columns; returns whether they are those of a log, and
// changes nothing if not.
bool CsvLogReader::TakeHead(const std::vector<std::string>& names,
                            GrowingFileReading& reading) {
  if (names.size() > kMaxMetricsOfRecord) return false;
  const bool has_index = names.size() > 1 && names.front().empty();
  if (!is_lightnings_ && names[has_index ? 1 : 0] != kEpochColumn) return false;
  auto step = std::find(names.begin(), names.end(), kStepColumn);
  if (step == names.end()) {
    step = std::find(names.begin(), names.end(), kEpochColumn);
  }
  if (step == names.end()) return false;
  step_column_ = static_cast<std::size_t>(step - names.begin());
  columns_.clear();
  for (const std::string& name : names) {
    Column column;
    column.name = name;
    column.is_repeated =
        !name.empty() &&
        std::any_of(columns_.begin(), columns_.end(),
                    [&](const Column& each) { return each.name == name; });
    if (column.is_repeated) {
      AddProblem(absl::StrCat("the CSV file has several columns \"",
                              ShowText(name), "\"; only the first is read"),
                 reading.problems);
    }
    columns_.push_back(std::move(column));
  }
  return true;
}

void CsvLogReader::TakeFirstLine(std::string_view line,
                                 GrowingFileReading& reading) {
  head_ = std::string(line);
  if (line.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    line.remove_prefix(kByteOrderMark.size());
  }
  comma_ = CommaOf(line);
  const auto names = CellsOf(line, comma_);
  is_log_ = names && TakeHead(*names, reading);
  if (IsUtf16(line)) {
    AddProblem(
        "a CSV file is UTF-16 text, which is not read; write it as UTF-8",
        reading.problems);
  }
}

// Returns where the row stands; nullopt if its cell is no number.
std::optional<std::int64_t> CsvLogReader::StepOf(const std::string& cell) {
  constexpr double kMostExact = 9e15;
  const auto whole = PrintedWholeNumber(cell);
  const auto number = PrintedNumber(cell);
  if (!number || !(std::fabs(*number) < kMostExact)) return std::nullopt;
  has_fractions_ |= !whole;
  last_step_ = has_fractions_ ? last_step_ + 1 : *whole;
  return last_step_;
}

void CsvLogReader::NameMiss(Column& column, const std::string& cell,
                            const std::string& why,
                            GrowingFileReading& reading) const {
  column.later_miss =
      absl::StrCat("row ", rows_, " of the CSV file has ", why, " \"",
                   ShowText(column.name), "\": ", ShowText(cell));
  if (std::exchange(column.is_reported, true)) return;
  AddProblem(column.later_miss, reading.problems);
}

std::string CsvLogReader::LaterMiss(const std::string& metric) const {
  for (const Column& each : columns_) {
    if (each.name == metric) return each.later_miss;
  }
  return {};
}

void CsvLogReader::TakeCell(std::size_t column, const std::string& cell,
                            std::int64_t step, GrowingFileReading& reading) {
  Column& own = columns_[column];
  const bool is_step = own.name == kStepColumn || own.name == kEpochColumn;
  const bool is_index = column == 0 && own.name.empty();
  if (is_step || is_index || own.is_repeated || cell.empty() ||
      SaysNoNumber(cell)) {
    return;
  }
  const auto value = PrintedValue(cell);
  if (!value) {
    if (own.has_values || IsForeignNumber(cell)) {
      NameMiss(own, cell, "no number that can be read as", reading);
    }
    return;
  }
  const std::string_view unit = UnitOfPrinted(cell);
  if (!std::exchange(own.has_values, true)) own.unit = std::string(unit);
  if (unit != own.unit && std::isfinite(*value)) {
    NameMiss(own, cell,
             absl::StrCat("another unit than \"", own.unit, "\", the first of"),
             reading);
    return;
  }
  own.later_miss.clear();
  AddMeasurement({own.name, step, PlaceTime(place_), *value}, "the CSV file",
                 reading);
}

// Returns whether a cell says that the row is of a part of the data that other
// rows make up for: "train" in a column "phase".
bool CsvLogReader::IsOfLesserPart(const std::vector<std::string>& cells) {
  std::optional<Part> part;
  for (const std::string& cell : cells) {
    const std::string word = absl::AsciiStrToLower(cell);
    if (!IsDataWord(word)) continue;
    const bool is_test = word.starts_with("te") || word == "tst";
    const Part of_word = IsTrainingWord(word) ? Part::kTraining
                         : is_test            ? Part::kTest
                                              : Part::kValidation;
    part = std::min(part.value_or(of_word), of_word);
  }
  if (!part) return false;
  if (best_part_ && *part < *best_part_) return true;
  best_part_ = part;
  return false;
}

// Gives the row its place: that of the same row of before, or one behind all.
void CsvLogReader::CountRow(const std::vector<std::string>& cells) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    if (cells[i].empty()) continue;
    known.push_back(absl::StrCat(columns_[i].name, "=", cells[i], "\n"));
  }
  std::sort(known.begin(), known.end());  // A new head may have another order.
  const std::uint64_t digest = StableDigest(absl::StrJoin(known, ""));
  const std::size_t at = rows_++;
  const bool has_former = is_as_before_ && at < former_.size();
  is_as_before_ &= !has_former || former_[at].digest == digest;
  place_ = has_former && is_as_before_ ? former_[at].place : next_place_;
  next_place_ = std::max(next_place_, place_ + 1);
  if (seen_.size() < kMostSeenRows) seen_.push_back({digest, place_});
}

void CsvLogReader::Succeed(const GrowingFileReader& before) {
  const auto* const table = dynamic_cast<const CsvLogReader*>(&before);
  if (table == nullptr) return;
  former_ = table->seen_;
  // A writer that repeats its rows may be in the middle of that.
  for (std::size_t i = former_.size();
       table->is_as_before_ && i < table->former_.size(); ++i) {
    former_.push_back(table->former_[i]);
  }
  next_place_ = table->next_place_;
}

void CsvLogReader::TakeRow(std::string_view line, GrowingFileReading& reading) {
  auto cells = CellsOf(line, comma_);
  const bool has_numbers =
      cells &&
      std::any_of(cells->begin(), cells->end(), [](const std::string& cell) {
        return PrintedNumber(cell).has_value();
      });
  if (cells && !has_numbers && TakeHead(*cells, reading)) return;
  CountRow(cells.value_or(std::vector<std::string>()));
  if (!cells || offset_ < passed_end_) return;
  if (cells->size() > columns_.size()) {
    if (std::exchange(has_wide_row_, true)) return;
    AddProblem(absl::StrCat("row ", rows_, " of the CSV file has ",
                            cells->size(), " cells, and its head ",
                            columns_.size(), "; such rows are passed over"),
               reading.problems);
    return;
  }
  if (step_column_ >= cells->size() || IsOfLesserPart(*cells)) return;
  const auto step = StepOf((*cells)[step_column_]);
  if (!step) return;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    TakeCell(i, (*cells)[i], *step, reading);
  }
}

// Goes behind bytes that were read.
void CsvLogReader::Advance(std::string_view taken) {
  offset_ += taken.size();
  const std::size_t kept = std::min(taken.size(), kMostTail);
  tail_ = std::string(taken.substr(taken.size() - kept));
}

GrowingFileReading CsvLogReader::ReadLast(std::string_view bytes) {
  GrowingFileReading reading;
  const bool is_row = is_log_ && !head_.empty() && !is_in_long_line_;
  if (!is_row) return reading;
  // Lines behind a quote that was never closed.
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
       end = bytes.find('\n')) {
    TakeRow(bytes.substr(0, end + 1), reading);
    Advance(bytes.substr(0, end + 1));
    bytes.remove_prefix(end + 1);
  }
  if (bytes.empty()) return reading;
  const auto cells = CellsOf(bytes, comma_);
  // A row that was cut has fewer cells, or a part of a number in the last.
  if (!cells || cells->size() != columns_.size()) return reading;
  TakeRow(bytes, reading);
  AddProblem(absl::StrCat("row ", rows_,
                          " of the CSV file, its last, has no "
                          "end: its last number may have been cut"),
             reading.problems);
  Advance(bytes);
  return reading;
}

GrowingFileReading CsvLogReader::Read(std::string_view bytes) {
  GrowingFileReading reading;
  while (is_log_ && !bytes.empty()) {
    if (reading.measurements.size() >= kMaxMeasurementsOfReading) {
      reading.has_more = true;
      break;
    }
    const std::size_t end = head_.empty() || is_in_long_line_
                                ? bytes.find('\n') + 1
                                : RowSize(bytes, comma_);
    const bool has_end = end != 0;
    const std::size_t size = has_end ? end : bytes.size();
    const bool is_long = size > kMaxMetricLine;
    // A row without its end may still grow.
    if (!has_end && !is_long && !is_in_long_line_) break;
    if (is_long && head_.empty()) {
      is_log_ = false;  // No library names columns at such length.
      break;
    }
    const std::string_view line = bytes.substr(0, size);
    if (head_.empty()) {
      TakeFirstLine(line, reading);
    } else if (!is_long && !is_in_long_line_) {
      TakeRow(line, reading);
    }
    is_in_long_line_ = !has_end;
    Advance(line);
    bytes.remove_prefix(size);
  }
  return reading;
}

}  // namespace vernier
