#include "cluster/metrics/printed_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cluster/metrics/line_words.h"
#include "cluster/metrics/mention_rank.h"
#include "cluster/metrics/printed_mark.h"
#include "cluster/metrics/printed_number.h"

namespace vernier {
namespace {

// Each line is split into cells: at separators, else at commas or semicolons,
// else at single blanks. A line of names with a metric and without numbers sets
// the columns; later lines with as many cells, of the same kinds, are rows.

constexpr std::size_t kMostColumns = 100;
// Characters of several bytes with which tables are drawn.
constexpr std::string_view kBars[] = {"\xe2\x94\x82", "\xe2\x94\x83",
                                      "\xe2\x94\x86"};

// Returns a part of `text`, also if that is empty.
std::string_view TrimmedCell(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return text.substr(0, 0);
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
// has blanks only right behind them.
Cells SplitAtCommas(std::string_view line) {
  Cells cells;
  // Where there are both, a comma is a decimal point.
  const char comma = line.find(';') == std::string_view::npos ? ',' : ';';
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == ' ' && line[at - 1] != comma) return cells;
  }
  std::size_t begin = 0;
  while (begin <= line.size() && cells.size() <= kMostColumns) {
    const std::size_t end = std::min(line.find(comma, begin), line.size());
    cells.push_back(TrimmedCell(line.substr(begin, end - begin)));
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

// Splits a line at bars, tabs and several blanks. A cell between two bars may
// be empty.
Cells Split(std::string_view line) {
  Cells cells;
  std::size_t begin = 0;
  std::optional<std::size_t> bar;  // Where the last one ends.
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t size = SeparatorSize(line.substr(at));
    if (size > 0) {
      AddCell(line.substr(begin, at - begin), cells);
      begin = at + size;
      if (line[at] != ' ' && line[at] != '\t') {
        // Of "|gradient|   |step|" the bars belong to the names.
        constexpr std::string_view kApart = " \t|";
        const bool is_empty =
            bar.has_value() &&
            TrimmedCell(line.substr(*bar, at - *bar)).empty() &&
            (begin == line.size() || line[at] != '|' ||
             kApart.find(line[begin]) != kApart.npos);
        if (is_empty && cells.size() <= kMostColumns) {
          cells.push_back(line.substr(at, 0));
        }
        bar = begin;
      }
    }
    at += std::max<std::size_t>(size, 1);
  }
  AddCell(line.substr(begin), cells);
  return cells;
}

std::optional<double> ValueOf(std::string_view cell) {
  const std::optional<double> value = PrintedValue(cell);
  if (SaysNoNumber(cell)) return value;
  const std::string_view behind =
      TrimmedCell(cell.substr(std::min(PrintedNumberSize(cell), cell.size())));
  // Of "99.00 percentile latency (ns)" the number is a part of a name.
  const bool is_of_name = PrintedNumberSize(cell) > 0 && !behind.empty() &&
                          IsLetter(behind.front()) &&
                          UnitOfPrinted(cell).empty();
  const bool is_bracketed =
      !is_of_name && (cell.back() == ')' || cell.back() == ']');
  const bool is_all = behind.empty() || IsPrintedUnit(behind) || is_bracketed ||
                      behind.starts_with("+/-") || behind.starts_with("+-") ||
                      behind.starts_with("\xc2\xb1");
  return is_all ? value : std::nullopt;
}

// Returns the name in a cell without marks: "acc" of "# acc", "\"acc\"" and
// "**acc**", "P" of "Box(P" and "mAP50" of "mAP50)".
std::string_view NameIn(std::string_view cell) {
  constexpr std::string_view kMarks = " #\"'*`";
  while (!cell.empty() && kMarks.find(cell.front()) != kMarks.npos) {
    cell.remove_prefix(1);
  }
  while (!cell.empty() && kMarks.find(cell.back()) != kMarks.npos) {
    cell.remove_suffix(1);
  }
  const std::size_t open = cell.find('(');
  const std::size_t close = cell.find(')');
  if (open == cell.npos && close == cell.size() - 1) cell.remove_suffix(1);
  if (open != cell.npos && close == cell.npos) cell.remove_prefix(open + 1);
  return cell;
}

std::optional<std::size_t> Find(std::string_view cell,
                                const std::vector<std::string>& metrics) {
  const std::string_view name = NameIn(cell);
  const auto found = std::find_if(
      metrics.begin(), metrics.end(), [&](const std::string& metric) {
        return metric.size() == name.size() &&
               std::equal(
                   metric.begin(), metric.end(), name.begin(),
                   [](char a, char b) {
                     a = absl::ascii_tolower(static_cast<unsigned char>(a));
                     b = absl::ascii_tolower(static_cast<unsigned char>(b));
                     return a == b || (a == '_' && b == ' ');
                   });
      });
  if (found == metrics.end()) return std::nullopt;
  return static_cast<std::size_t>(found - metrics.begin());
}

// Returns the name without a value that leads those of the rows below: "train/"
// of "| train/      |       |"; empty if the line has none.
std::string_view GroupIn(std::string_view line) {
  constexpr std::string_view kEmpty = " |";
  constexpr std::size_t kLongest = 64;
  SkipBlanks(line);
  if (!SkipOneOf("|", line)) return "";
  const std::size_t end = std::min(line.find('|'), line.size());
  const std::string_view name = TrimmedCell(line.substr(0, end));
  const bool is_group =
      name.size() > 1 && name.size() <= kLongest && name.ends_with('/') &&
      WordAt(name) == name &&
      line.find_first_not_of(kEmpty, end) == std::string_view::npos;
  return is_group ? name : "";
}

// Returns the line without the progress bar at its end: ": 100%|###| 14/14 [".
std::string_view WithoutProgressBar(std::string_view line) {
  const std::size_t at = std::min(line.find("%|"), line.find("% \xe2\x94"));
  if (at == std::string_view::npos || at == 0) return line;
  const std::size_t before = line.find_last_not_of("0123456789", at - 1);
  const std::size_t number = before == std::string_view::npos ? 0 : before + 1;
  if (!BeginsProgressBar(line.substr(number))) return line;
  line = line.substr(0, number);
  return line.substr(0, line.find_last_not_of(" :") + 1);
}

// Returns whether a first cell is a number or begins like one, as "1/100" does,
// and is no name such as "1NN" or "2nd".
bool IsNumberLike(std::string_view cell) {
  if (cell.starts_with('*')) cell.remove_prefix(1);  // A mark of the best row.
  const std::size_t size = PrintedNumberSize(cell);
  const std::string_view rest = cell.substr(size);
  const bool goes_on =
      !rest.empty() && (IsLetter(rest.front()) || rest.front() == '-');
  return cell.empty() || SaysNoNumber(cell) || (size > 0 && !goes_on);
}

// Returns whether the word is in the list, in any letter case.
template <std::size_t n>
bool IsOneOf(std::string_view word, const std::string_view (&words)[n]) {
  return IsWordOf(absl::AsciiStrToLower(std::string(word)), words);
}

// Returns whether the name of a row is that of the sum or the mean of others.
bool StandsForAll(std::string_view name) {
  constexpr std::string_view kNames[] = {"all",   "average",     "avg",
                                         "mean",  "macro avg",   "overall",
                                         "total", "weighted avg"};
  if (name.ends_with('.')) name.remove_suffix(1);
  constexpr absl::string_view kAll = "all ";  // Of "All files".
  return IsOneOf(name, kNames) ||
         absl::StartsWithIgnoreCase({name.data(), name.size()}, kAll);
}

// Returns whether the name of a row is that of a statistic of the others that
// is no value of theirs.
bool IsStatistic(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "25%", "50%", "75%", "count",  "max", "min",     "s.d.",
      "sd",  "sem", "std", "stddev", "var", "variance"};
  return IsOneOf(name, kNames);
}

// Returns whether a column has the names of parts of the data, one in each row.
bool NamesParts(std::string_view column) {
  constexpr std::string_view kNames[] = {"category", "class"};
  return IsOneOf(column, kNames);
}

// Returns whether the name of a row may stand among numbers: "init", "mean".
bool MayEndATable(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "average", "avg",     "best", "final", "init", "initial", "last",
      "mean",    "overall", "test", "total", "val",  "valid",   "validation"};
  return IsOneOf(name, kNames);
}

// Returns whether a cell between several blanks has several numbers between
// single ones, as where a row has fewer blanks than the line of names.
bool HasSeveralNumbers(std::string_view cell) {
  bool was_number = false;
  for (const std::string_view word : SplitAtBlanks(cell)) {
    if (was_number && IsPrintedNumber(word)) return true;
    was_number = PrintedNumberSize(word) > 0 && !IsLetter(word.front()) &&
                 !word.ends_with(':');
  }
  return false;
}

bool HasBars(std::string_view line) {
  return line.find('|') != std::string_view::npos ||
         std::any_of(std::begin(kBars), std::end(kBars),
                     [line](std::string_view bar) {
                       return line.find(bar) != std::string_view::npos;
                     });
}

bool BeginsWithBar(std::string_view line) {
  line = TrimmedCell(line);
  return line.starts_with('|') ||
         std::any_of(std::begin(kBars), std::end(kBars),
                     [line](auto bar) { return line.starts_with(bar); });
}

bool EndsWithBar(std::string_view line) {
  line = TrimmedCell(line);
  return line.ends_with('|') ||
         std::any_of(std::begin(kBars), std::end(kBars),
                     [line](auto bar) { return line.ends_with(bar); });
}

// Returns whether the cells are names: not a ruler, and not the types of
// columns, "f64" and "str", which some libraries print below the names.
bool AreNames(const Cells& cells) {
  constexpr std::string_view kTypes[] = {"bool", "double", "float", "int",
                                         "obj",  "object", "str"};
  return std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) {
    if (cell.empty()) return true;
    std::string_view stem = cell;
    while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') {
      stem.remove_suffix(1);
    }
    const bool is_type = (stem.size() == 1 && stem.size() < cell.size()) ||
                         std::find(std::begin(kTypes), std::end(kTypes),
                                   stem) != std::end(kTypes);
    return !is_type && std::any_of(cell.begin(), cell.end(), IsLetter);
  });
}

// Returns the number of a step: "3" also of "3/100".
std::optional<std::int64_t> StepIn(std::string_view cell) {
  return PrintedWholeNumber(cell.substr(0, cell.find('/')));
}

}  // namespace

// Begins a table with the columns. Returns false if the line is prose.
bool PrintedTable::Begin(std::string_view line, std::vector<Column> columns,
                         bool is_apart) {
  constexpr std::size_t kFewest = 3;
  const bool has_unit =
      std::any_of(columns.begin(), columns.end(),
                  [](const Column& column) { return column.unit; });
  const bool are_metrics =
      std::all_of(columns.begin(), columns.end(),
                  [](const Column& column) { return column.metric; });
  const bool is_sure = is_apart || has_unit || are_metrics;
  has_single_words_ =
      std::all_of(columns.begin(), columns.end(), [line](const Column& column) {
        return line.substr(column.begin, column.end - column.begin).find(' ') ==
               line.npos;
      });
  if (!is_sure && columns.size() < kFewest) return false;
  // Of two columns of one name none is the metric's.
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::optional<std::size_t> metric = columns[i].metric;
    const auto is_same = [&](const Column& column) {
      return metric.has_value() && column.metric == metric;
    };
    if (std::count_if(columns.begin(), columns.end(), is_same) < 2) continue;
    for (Column& column : columns) {
      if (is_same(column)) column.metric.reset();
    }
  }
  columns_ = std::move(columns);
  may_end_ = false;
  is_indented_ = line.starts_with(' ');
  is_drawn_ = HasBars(line);
  is_doubtful_ = !is_sure;
  has_index_.reset();
  begins_with_names_.reset();
  has_row_of_all_ = false;
  return true;
}

// Puts empty cells where a row has none below a column's name. Returns whether
// each cell stands below one.
bool PrintedTable::FillGaps(std::string_view line, Cells& cells) const {
  Cells filled(columns_.size());
  std::size_t column = 0;
  for (const std::string_view cell : cells) {
    const auto begin = static_cast<std::size_t>(cell.data() - line.data());
    while (column < columns_.size() && columns_[column].end <= begin) ++column;
    if (column == columns_.size() ||
        columns_[column].begin >= begin + cell.size()) {
      return false;
    }
    filled[column++] = cell;
  }
  cells = std::move(filled);
  return true;
}

// Returns whether a cell of the line stands below the name of the column.
bool PrintedTable::IsBelow(std::string_view line, std::size_t column,
                           std::string_view cell) const {
  const auto begin = static_cast<std::size_t>(cell.data() - line.data());
  return begin < columns_[column].end &&
         begin + cell.size() > columns_[column].begin;
}

// Splits a row at single blanks if wide numbers have left no more between them.
// Returns false if its cells remain unclear.
bool PrintedTable::SplitNarrow(std::string_view line, Cells& cells) const {
  if (HasBars(line) ||
      std::none_of(cells.begin(), cells.end(), HasSeveralNumbers)) {
    return true;
  }
  // Of "May 1 2024" the numbers may belong to one text.
  const bool is_text =
      std::none_of(cells.begin(), cells.end(), [](std::string_view cell) {
        return HasSeveralNumbers(cell) && !IsLetter(cell.front());
      });
  Cells words = SplitAtBlanks(line);
  const bool has_name = is_indented_ && words.size() == columns_.size() + 1;
  if (!has_single_words_ || (words.size() != columns_.size() && !has_name)) {
    return is_text;
  }
  // Words among the numbers must stand below the names.
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string_view word = words[i + (has_name ? 1 : 0)];
    const bool is_number = PrintedNumberSize(word) > 0;
    if (!is_number && !IsBelow(line, i, word)) return is_text;
  }
  cells = std::move(words);
  return true;
}

// Puts the cells of a row below the names where some have none. Returns false
// if it is not clear which belong together.
bool PrintedTable::Align(std::string_view line, Cells& cells) const {
  if (!SplitNarrow(line, cells)) return false;
  const bool lacks_one =
      cells.size() > 1 && cells.size() + 1 == columns_.size();
  if (is_drawn_) {
    // Without bars around the table, nothing stands behind a last empty cell.
    const bool lacks_last =
        lacks_one && EndsWithBar(line) && !BeginsWithBar(line);
    if (lacks_last) cells.push_back(line.substr(line.size()));
    return true;
  }
  if (begins_with_names_ != false || HasBars(line)) return true;
  // Left of the names may stand what the row is of, as "Weighted Avg.".
  const std::string_view name = cells.front();
  const bool is_led =
      is_indented_ && cells.size() == columns_.size() && StandsForAll(name) &&
      name.data() + name.size() <= line.data() + columns_.front().begin;
  if (is_led) cells.erase(cells.begin());
  const bool has_gaps = is_led || (lacks_one && IsNumberLike(name));
  return !has_gaps || FillGaps(line, cells);
}

// Returns whether the cells are a row of the table. Takes the index of a row
// out of them.
bool PrintedTable::IsRow(std::string_view line, Cells& cells, bool is_apart) {
  constexpr std::string_view kRuler = "-=+:| ";
  if (line.find_first_not_of(kRuler) == std::string_view::npos) return false;
  const bool is_doubtful = std::exchange(is_doubtful_, false);
  if (is_doubtful &&
      (cells.size() != columns_.size() ||
       !std::all_of(cells.begin(), cells.end(), IsPrintedNumber))) {
    columns_.clear();
    return false;
  }
  const std::string_view row_name = cells.empty() ? "" : cells.front();
  if (IsStatistic(row_name)) return false;
  if (is_apart && !Align(line, cells)) return false;
  // pandas begins its rows with an index, whose column has no name.
  const bool has_index = is_indented_ && cells.size() == columns_.size() + 1;
  if (cells.size() != columns_.size() + (has_index ? 1 : 0)) return false;
  if (has_index_.value_or(has_index) != has_index) return false;
  if (has_index) cells.erase(cells.begin());
  if (!is_apart && !AreNumbers(cells)) return false;
  bool has_number = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (has_index && !has_index_ && !IsBelow(line, i, cells[i])) return false;
    has_number |= PrintedNumberSize(cells[i]) > 0;
  }
  // A row without any number is a ruler, a row of types, or prose.
  if (!has_number) {
    constexpr std::size_t kFewest = 3;  // Of fewer cells one may be a failure.
    const bool is_other =
        is_drawn_ == HasBars(line) && AreNames(cells) &&
        (cells.size() >= kFewest || begins_with_names_ == false);
    if (is_other) columns_.clear();
    return false;
  }
  const bool has_name = !IsNumberLike(cells.front());
  const bool may_have_number = PrintedNumberSize(cells.front()) > 0;
  if (has_name && begins_with_names_ == false && !may_have_number &&
      !MayEndATable(cells.front())) {
    return false;
  }
  // What stands for all is not outdone by what stands for a part.
  const bool is_of_all = StandsForAll(row_name);
  if ((has_name || has_index) && has_row_of_all_ && !is_of_all) return false;
  has_row_of_all_ |= is_of_all;
  if (!begins_with_names_) begins_with_names_ = has_name;
  has_index_ = has_index;
  return true;
}

// Returns whether a line that is no row ends the table: a heading that ends
// with a colon. Notes a blank line, behind which only a row goes on with it.
bool PrintedTable::EndsTable(std::string_view line) {
  const std::string_view text = TrimmedCell(line);
  if (text.empty()) may_end_ = true;
  return text.ends_with(':') && HasLetter(text) &&
         text.find_first_of("0123456789|") == text.npos;
}

// Returns the columns that the cells would name.
std::vector<PrintedTable::Column> PrintedTable::ColumnsOf(
    std::string_view line, const Cells& cells,
    const std::vector<std::string>& metrics) {
  std::vector<Column> columns;
  for (const std::string_view cell : cells) {
    const auto begin = static_cast<std::size_t>(cell.data() - line.data());
    columns.push_back(
        {Find(cell, metrics), UnitOfWord(cell), begin, begin + cell.size()});
  }
  return columns;
}

// Takes the cells of a row, one for each column.
void PrintedTable::TakeRow(const Cells& cells, Row& row) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const std::string cell = absl::AsciiStrToLower(std::string(cells[i]));
    row.is_training |= IsDataWord(cell) && IsTrainingWord(cell);
    const std::optional<double> value = ValueOf(cells[i]);
    if (columns_[i].metric) {
      row.cells.push_back({*columns_[i].metric, value, cells[i]});
    }
    const auto step = StepIn(cells[i]);
    if (columns_[i].unit && step && row.mark.unit == StepUnit::kNone) {
      row.mark = {*columns_[i].unit, *step, std::nullopt};
    }
  }
}

// Takes a row of a metric's name, which may lack that of the group, and its
// value. Returns whether the cells are one.
bool PrintedTable::TakePair(const Cells& cells,
                            const std::vector<std::string>& metrics,
                            Row& row) const {
  if (cells.size() != 2) return false;
  std::optional<std::size_t> metric = Find(cells.front(), metrics);
  if (!metric && !group_.empty()) {
    metric = Find(absl::StrCat(group_, std::string(cells.front())), metrics);
  }
  if (!metric) return false;
  const std::optional<double> value = ValueOf(cells.back());
  if (value || PrintedNumberSize(cells.back()) > 0) {
    row.cells.push_back({*metric, value, cells.back()});
  }
  return true;
}

bool PrintedTable::MayTake(std::string_view line) const {
  return !columns_.empty() || !group_.empty() || !GroupIn(line).empty();
}

PrintedTable::Row PrintedTable::Take(std::string_view line,
                                     const std::vector<std::string>& metrics) {
  Row row;
  row.mark.unit = StepUnit::kNone;
  line = WithoutProgressBar(line);
  if (EndsTable(line)) columns_.clear();
  if (!HasBars(line)) group_.clear();
  if (const std::string_view group = GroupIn(line); !group.empty()) {
    group_ = group;
    return row;
  }
  constexpr std::string_view kComment = "# ";
  if (line.starts_with(kComment)) line.remove_prefix(kComment.size());
  Cells cells = Split(line);
  const bool is_apart = cells.size() != 1;
  bool has_commas = false;
  if (!is_apart) {
    const std::string_view text = cells.front();
    cells = SplitAtCommas(text);
    has_commas = cells.size() >= 2;
    if (!has_commas) cells = SplitAtBlanks(text);
  }
  // pandas ends the lines of a table that goes on below with a backslash.
  if (!cells.empty() && cells.back() == "\\") cells.pop_back();
  if (cells.size() < 2 || cells.size() > kMostColumns) return row;
  // "Mean latency (ns)   : 2000" has no cells, but a sign.
  if (cells[1].starts_with(": ") || cells[1].starts_with("= ")) return row;
  std::vector<Column> columns = ColumnsOf(line, cells, metrics);
  const auto has_number = [](std::string_view cell) {
    return !cell.empty() && ValueOf(cell).has_value();
  };
  const auto is_metric = [](const Column& column) {
    return column.metric.has_value();
  };
  if (std::any_of(columns.begin(), columns.end(), is_metric) &&
      std::none_of(cells.begin(), cells.end(), has_number)) {
    const bool begins = Begin(line, std::move(columns), is_apart || has_commas);
    names_parts_ = NamesParts(cells.front());
    for (const Column& column : columns_) {
      const bool is_sure = begins && !is_doubtful_;
      if (is_sure && column.metric) row.named.push_back(*column.metric);
    }
    return row;
  }
  if (TakePair(cells, metrics, row)) return row;
  const std::string_view name = cells.front();
  const bool is_row = IsRow(line, cells, is_apart || has_commas);
  if (!is_row && std::exchange(may_end_, false)) columns_.clear();
  if (!is_row) return row;
  may_end_ = false;
  row.is_of_part = names_parts_ && !StandsForAll(name);
  TakeRow(cells, row);
  return row;
}

}  // namespace vernier
