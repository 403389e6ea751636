#include "cluster/metrics/csv_log_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/csv_reader.h"
#include "base/shown_text.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/mention_rank.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

constexpr std::string_view kStepColumn = "step";
constexpr std::string_view kEpochColumn = "epoch";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

char CommaOf(std::string_view header) {
  for (const char comma : {',', ';', '\t'}) {
    if (header.find(comma) != std::string_view::npos) return comma;
  }
  return ',';
}

// Returns the cells of one line; nullopt if they cannot be told apart.
std::optional<std::vector<std::string>> CellsOf(std::string_view line,
                                                char comma) {
  CsvReader reader(line, comma);
  auto cells = reader.Next();
  if (!cells.ok() || !reader.is_at_end()) return std::nullopt;
  return *std::move(cells);
}

}  // namespace

bool IsCsvLogName(std::string_view name) {
  return absl::EndsWith({name.data(), name.size()}, ".csv");
}

void CsvLogReader::TakeHead(std::string_view line) {
  head_ = std::string(line);
  if (line.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    line.remove_prefix(kByteOrderMark.size());
  }
  comma_ = CommaOf(line);
  const auto names = CellsOf(line, comma_);
  is_log_ = false;
  if (!names || names->size() > kMaxMetricsOfRecord) return;
  for (const std::string& name : *names) {
    columns_.push_back({std::string(absl::StripAsciiWhitespace(name))});
  }
  if (!is_lightnings_ && columns_.front().name != kEpochColumn) return;
  for (const std::string_view name : {kStepColumn, kEpochColumn}) {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(),
                     [name](const auto& each) { return each.name == name; });
    if (found == columns_.end()) continue;
    step_column_ = static_cast<std::size_t>(found - columns_.begin());
    is_log_ = true;
    return;
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

void CsvLogReader::TakeCell(std::size_t column, const std::string& cell,
                            std::int64_t step, GrowingFileReading& reading) {
  Column& own = columns_[column];
  const bool is_step = own.name == kStepColumn || own.name == kEpochColumn;
  if (is_step || cell.empty() || SaysNoNumber(cell)) return;
  const auto value = PrintedValue(cell);
  if (value) {
    own.has_values = true;
    AddMeasurement({own.name, step, PlaceTime(rows_), *value}, "the CSV file",
                   reading);
    return;
  }
  if (!own.has_values || std::exchange(own.is_reported, true)) return;
  AddProblem(absl::StrCat("row ", rows_,
                          " of the CSV file has no number that "
                          "can be read as \"",
                          ShowText(own.name), "\": ", ShowText(cell)),
             reading.problems);
}

// Returns whether a cell says that the row is of the training data, where other
// rows are of other data: "train" in a column "phase".
bool CsvLogReader::IsOfTraining(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) {
    const std::string word = absl::AsciiStrToLower(cell);
    if (!IsDataWord(word)) continue;
    if (IsTrainingWord(word)) return has_measured_rows_;
    has_measured_rows_ = true;
  }
  return false;
}

void CsvLogReader::TakeRow(std::string_view line, GrowingFileReading& reading) {
  ++rows_;
  auto cells = CellsOf(line, comma_);
  if (!cells || cells->size() > columns_.size() ||
      step_column_ >= cells->size()) {
    return;
  }
  for (std::string& cell : *cells) {
    cell = std::string(absl::StripAsciiWhitespace(cell));
  }
  if (IsOfTraining(*cells)) return;
  const auto step = StepOf((*cells)[step_column_]);
  if (!step) return;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    TakeCell(i, (*cells)[i], *step, reading);
  }
}

GrowingFileReading CsvLogReader::ReadLast(std::string_view bytes) {
  GrowingFileReading reading;
  const bool is_row = is_log_ && !head_.empty() && !is_in_long_line_ &&
                      bytes.find('\n') == std::string_view::npos;
  if (!is_row) return reading;
  const auto cells = CellsOf(bytes, comma_);
  // A row that was cut has fewer cells, or a part of a number in the last.
  if (!cells || cells->size() != columns_.size()) return reading;
  TakeRow(bytes, reading);
  AddProblem(absl::StrCat("row ", rows_,
                          " of the CSV file, its last, has no "
                          "end: its last number may have been cut"),
             reading.problems);
  offset_ += bytes.size();
  return reading;
}

GrowingFileReading CsvLogReader::Read(std::string_view bytes) {
  GrowingFileReading reading;
  while (is_log_ && !bytes.empty()) {
    if (reading.measurements.size() >= kMaxMeasurementsOfReading) {
      reading.has_more = true;
      break;
    }
    const std::size_t end = bytes.find('\n');
    const bool has_end = end != std::string_view::npos;
    const std::size_t size = has_end ? end + 1 : bytes.size();
    const bool is_long = size > kMaxMetricLine;
    // A row without its end may still grow.
    if (!has_end && !is_long && !is_in_long_line_) break;
    if (is_long && head_.empty()) {
      is_log_ = false;  // No library names columns at such length.
      break;
    }
    const std::string_view line = bytes.substr(0, size);
    if (head_.empty()) {
      TakeHead(line);
    } else if (!is_long && !is_in_long_line_) {
      TakeRow(line, reading);
    }
    is_in_long_line_ = !has_end;
    offset_ += size;
    bytes.remove_prefix(size);
  }
  return reading;
}

}  // namespace vernier
