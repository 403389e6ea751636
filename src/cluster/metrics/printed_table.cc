#include "cluster/metrics/printed_table.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "cluster/metrics/printed_metrics.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

// Each line is split into cells: at separators, else at commas or semicolons,
// else at single blanks. A line of names with a metric and without numbers sets
// the columns; later lines with as many cells are rows. Nothing else is
// remembered of a table.

constexpr std::size_t kMostColumns = 100;
// Characters of several bytes with which tables are drawn.
constexpr std::string_view kBars[] = {"\xe2\x94\x82", "\xe2\x94\x83"};

std::string_view TrimmedCell(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Bytes of the separator that the text begins with; 0 if there is none.
std::size_t SeparatorSize(std::string_view text) {
  if (text.front() == '|' || text.front() == '\t') return 1;
  for (const std::string_view bar : kBars) {
    if (text.starts_with(bar)) return bar.size();
  }
  return text.starts_with("  ") ? 2 : 0;
}

using Cells = std::vector<std::string_view>;

void AddCell(std::string_view text, Cells& cells) {
  const std::string_view cell = TrimmedCell(text);
  if (!cell.empty() && cells.size() <= kMostColumns) cells.push_back(cell);
}

Cells SplitAtBlanks(std::string_view line) {
  Cells cells;
  std::size_t begin = 0;
  while (begin < line.size()) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    AddCell(line.substr(begin, end - begin), cells);
    begin = end + 1;
  }
  return cells;
}

// Splits a line of a file of values separated by commas or semicolons, which
// has no blanks.
Cells SplitAtCommas(std::string_view line) {
  Cells cells;
  if (line.find(' ') != std::string_view::npos) return cells;
  const char comma = line.find(',') == std::string_view::npos ? ';' : ',';
  std::size_t begin = 0;
  while (begin <= line.size() && cells.size() <= kMostColumns) {
    const std::size_t end = std::min(line.find(comma, begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

// Single blanks also separate words of prose. They separate cells only if every
// cell is a number or begins like one, as "00:12" does.
bool AreNumbers(const Cells& cells) {
  return std::all_of(cells.begin(), cells.end(), [](std::string_view cell) {
    return cell.empty() || PrintedNumberSize(cell) > 0;
  });
}

Cells Split(std::string_view line) {
  Cells cells;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t size = SeparatorSize(line.substr(at));
    if (size > 0) {
      AddCell(line.substr(begin, at - begin), cells);
      begin = at + size;
    }
    at += std::max<std::size_t>(size, 1);
  }
  AddCell(line.substr(begin), cells);
  return cells;
}

std::optional<double> ValueOf(std::string_view cell) {
  const std::optional<double> value = PrintedValue(cell);
  if (SaysNoNumber(cell)) return value;
  const bool is_all = PrintedNumberSize(cell) == cell.size() ||
                      cell.back() == '%' || cell.back() == ')' ||
                      cell.back() == ']';
  return is_all ? value : std::nullopt;
}

std::optional<std::size_t> Find(std::string_view name,
                                const std::vector<std::string>& metrics) {
  const auto found = std::find_if(
      metrics.begin(), metrics.end(), [&](const std::string& metric) {
        return absl::EqualsIgnoreCase(absl::string_view(metric),
                                      {name.data(), name.size()});
      });
  if (found == metrics.end()) return std::nullopt;
  return static_cast<std::size_t>(found - metrics.begin());
}

}  // namespace

PrintedTable::Row PrintedTable::Take(std::string_view line,
                                     const std::vector<std::string>& metrics) {
  Row row;
  row.mark.unit = StepUnit::kNone;
  Cells cells = Split(line);
  const bool is_apart = cells.size() != 1;
  if (!is_apart) {
    const std::string_view text = cells.front();
    cells = SplitAtCommas(text);
    if (cells.size() < 2) cells = SplitAtBlanks(text);
  }
  if (cells.size() < 2 || cells.size() > kMostColumns) return row;
  std::vector<Column> columns;
  bool has_metric = false;
  bool has_number = false;
  bool begins_number = false;
  for (const std::string_view cell : cells) {
    columns.push_back({Find(cell, metrics), UnitOfWord(cell)});
    has_metric |= columns.back().metric.has_value();
    const std::size_t number = PrintedNumberSize(cell);
    has_number |= number > 0 && number == cell.size();
    begins_number |= number > 0;
  }
  if (has_metric && !has_number) {
    columns_ = std::move(columns);
    is_indented_ = line.starts_with(' ');
    return row;
  }
  if (cells.size() == 2 && columns.front().metric.has_value()) {
    const std::optional<double> value = ValueOf(cells.back());
    if (value || begins_number) {
      row.cells.push_back({*columns.front().metric, value, cells.back()});
    }
    return row;
  }
  // pandas begins its rows with an index, whose column has no name.
  const bool has_index = is_indented_ && cells.size() == columns_.size() + 1;
  if (has_index) cells.erase(cells.begin());
  if (cells.size() != columns_.size()) return row;
  if (!is_apart && !AreNumbers(cells)) return row;
  // A row without any number is a ruler, a row of types, or prose.
  if (!begins_number) return row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const std::optional<double> value = ValueOf(cells[i]);
    if (columns_[i].metric) {
      row.cells.push_back({*columns_[i].metric, value, cells[i]});
    }
    const auto step = PrintedWholeNumber(cells[i]);
    if (columns_[i].unit && step && row.mark.unit == StepUnit::kNone) {
      row.mark = {*columns_[i].unit, *step, std::nullopt};
    }
  }
  return row;
}

}  // namespace vernier
