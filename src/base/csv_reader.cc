#include "base/csv_reader.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {

absl::StatusOr<std::vector<std::string>> CsvReader::Next() {
  line_ = next_line_;
  std::vector<std::string> cells;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(std::string cell, Cell());
    if (cell.size() > kLongestCell) {
      return absl::InvalidArgumentError(
          absl::StrCat("a cell has more than ", kLongestCell, " bytes"));
    }
    cells.push_back(std::move(cell));
    if (cells.size() > kMostColumns) {
      return absl::ResourceExhaustedError(
          absl::StrCat("has more than ", kMostColumns, " columns"));
    }
    if (is_at_end()) return cells;
    if (text_[at_++] == '\n') return cells;
  }
}

// Leaves the comma or the line's end to be read.
absl::StatusOr<std::string> CsvReader::Cell() {
  if (!is_at_end() && text_[at_] == '"') return QuotedCell();
  std::string cell;
  while (!is_at_end() && text_[at_] != comma_ && text_[at_] != '\n') {
    if (text_[at_] == '"') {
      return absl::InvalidArgumentError(
          "a quote in the middle of a cell: the whole cell must be in quotes, "
          "and a quote in it doubled");
    }
    cell += text_[at_++];
  }
  if (is_at_end() || text_[at_] == '\n') {
    ++next_line_;
    if (!cell.empty() && cell.back() == '\r') cell.pop_back();
  }
  return cell;
}

absl::StatusOr<std::string> CsvReader::QuotedCell() {
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
    if (text_[at_] == comma_) return cell;
    return absl::InvalidArgumentError("a comma must follow a cell in quotes");
  }
  return absl::InvalidArgumentError("a quote is not closed");
}

void TrimCells(std::vector<std::string>* cells) {
  for (std::string& cell : *cells) {
    cell = std::string(absl::StripAsciiWhitespace(cell));
  }
}

}  // namespace vernier
