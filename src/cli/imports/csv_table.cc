#include "cli/imports/csv_table.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "cli/imports/foreign_study.h"

namespace vernier {
namespace {

constexpr std::size_t kMostColumns = 2000;
constexpr std::size_t kLongestCell = std::size_t{64} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Reads one record after the other.
class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file)
      : text_(text), file_(file) {}

  std::size_t line() const { return line_; }
  bool is_at_end() const { return at_ >= text_.size(); }

  absl::Status Wrong(const std::string& what) const {
    return absl::InvalidArgumentError(
        absl::StrCat(file_, ": line ", line_, ": ", what));
  }

  // Returns the cells of the next record; one empty cell for an empty line.
  absl::StatusOr<std::vector<std::string>> Next() {
    std::vector<std::string> cells;
    while (true) {
      VERNIER_ASSIGN_OR_RETURN(std::string cell, Cell());
      if (cell.size() > kLongestCell) {
        return Wrong(
            absl::StrCat("a cell has more than ", kLongestCell, " bytes"));
      }
      cells.push_back(std::move(cell));
      if (cells.size() > kMostColumns) {
        return absl::ResourceExhaustedError(
            absl::StrCat(file_, ": line ", line_, ": has more than ",
                         kMostColumns, " columns"));
      }
      if (is_at_end()) return cells;
      const char c = text_[at_++];
      if (c == '\n') return cells;
    }
  }

  void CountLine() { line_ = next_line_; }

 private:
  // Leaves the comma or the line's end to be read.
  absl::StatusOr<std::string> Cell() {
    if (!is_at_end() && text_[at_] == '"') return QuotedCell();
    std::string cell;
    while (!is_at_end() && text_[at_] != ',' && text_[at_] != '\n') {
      if (text_[at_] == '"') {
        return Wrong(
            "a quote in the middle of a cell: the whole cell must be "
            "in quotes, and a quote in it doubled");
      }
      cell += text_[at_++];
    }
    if (is_at_end() || text_[at_] == '\n') {
      ++next_line_;
      if (!cell.empty() && cell.back() == '\r') cell.pop_back();
    }
    return cell;
  }

  absl::StatusOr<std::string> QuotedCell() {
    std::string cell;
    for (++at_; !is_at_end(); ++at_) {
      if (text_[at_] == '\n') ++next_line_;
      if (text_[at_] != '"') {
        cell += text_[at_];
        continue;
      }
      if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += text_[at_++];
        continue;
      }
      ++at_;
      if (!is_at_end() && text_[at_] == '\r') ++at_;
      if (is_at_end() || text_[at_] == '\n') {
        ++next_line_;
        return cell;
      }
      if (text_[at_] == ',') return cell;
      return Wrong("a comma must follow a cell in quotes");
    }
    return Wrong("a quote is not closed");
  }

  const std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;       // Where the record begins.
  std::size_t next_line_ = 1;  // Where the reader is.
};

absl::Status CheckHeader(const CsvReader& reader,
                         const std::vector<std::string>& columns) {
  std::set<std::string> names;
  for (const std::string& name : columns) {
    if (name.empty()) {
      return reader.Wrong("the header must name every column");
    }
    if (!names.insert(name).second) {
      return reader.Wrong(absl::StrCat("the header names column \"",
                                       ShowText(name), "\" twice"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CsvTable> ParseCsv(std::string_view text,
                                  const std::string& file) {
  if (text.rfind(kByteOrderMark, 0) == 0) {
    text.remove_prefix(kByteOrderMark.size());
  }
  CsvReader reader(text, file);
  if (const auto invalid = FindInvalidUtf8(text);
      invalid != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": byte ", invalid, ": must be UTF-8"));
  }
  CsvTable table;
  while (!reader.is_at_end()) {
    reader.CountLine();
    VERNIER_ASSIGN_OR_RETURN(std::vector<std::string> cells, reader.Next());
    if (cells.size() == 1 && cells.front().empty()) continue;
    if (table.columns.empty()) {
      VERNIER_RETURN_IF_ERROR(CheckHeader(reader, cells));
      table.columns = std::move(cells);
      continue;
    }
    if (cells.size() != table.columns.size()) {
      return reader.Wrong(absl::StrCat("has ", cells.size(),
                                       " cells, and the header has ",
                                       table.columns.size()));
    }
    if (table.rows.size() >= kMostForeignTrials) {
      return absl::ResourceExhaustedError(
          absl::StrCat(file, ": has more than ", kMostForeignTrials, " rows"));
    }
    table.rows.push_back({reader.line(), std::move(cells)});
  }
  if (table.columns.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": is empty: its first line must name the columns"));
  }
  return table;
}

}  // namespace vernier
