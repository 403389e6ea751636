#include "cluster/metrics/csv_log_file.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "base/csv_reader.h"
#include "cluster/metrics/files/place_time.h"
#include "cluster/metrics/python_json.h"

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
  auto columns = CellsOf(line, comma_);
  is_log_ = false;
  if (!columns || columns->size() > kMaxMetricsOfRecord) return;
  columns_ = *std::move(columns);
  if (!is_lightnings_ && columns_.front() != kEpochColumn) return;
  for (const std::string_view name : {kStepColumn, kEpochColumn}) {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    if (found == columns_.end()) continue;
    step_column_ = static_cast<std::size_t>(found - columns_.begin());
    is_log_ = true;
    return;
  }
}

void CsvLogReader::TakeRow(std::string_view line, GrowingFileReading& reading) {
  ++rows_;
  const auto cells = CellsOf(line, comma_);
  if (!cells || cells->size() > columns_.size() ||
      step_column_ >= cells->size()) {
    return;
  }
  const auto step = WholeNumberOf(Json((*cells)[step_column_]));
  if (!step) return;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    const bool is_step =
        columns_[i] == kStepColumn || columns_[i] == kEpochColumn;
    if ((*cells)[i].empty() || is_step) continue;
    const auto value = NumberOf(Json((*cells)[i]));
    if (!value) continue;
    AddMeasurement({columns_[i], *step, PlaceTime(rows_), *value},
                   "the CSV file", reading);
  }
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
