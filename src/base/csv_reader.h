#ifndef VERNIER_BASE_CSV_READER_H_
#define VERNIER_BASE_CSV_READER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// Reads the records of comma separated values (RFC 4180) one after the other:
/// cells may be in quotes, and lines end in LF or CR LF. Thread-compatible.
class CsvReader {
 public:
  static constexpr std::size_t kMostColumns = 2000;
  static constexpr std::size_t kLongestCell = std::size_t{64} << 10;

  /// `text` is borrowed; `comma` separates the cells.
  explicit CsvReader(std::string_view text, char comma = ',')
      : text_(text), comma_(comma) {}

  bool is_at_end() const { return at_ >= text_.size(); }
  /// Returns the line, from 1, in which the record begins that was read last.
  std::size_t line() const { return line_; }

  /// Returns the cells of the next record; one empty cell for an empty line.
  /// INVALID_ARGUMENT says what is wrong with it, RESOURCE_EXHAUSTED that it
  /// has more than kMostColumns cells; neither names the line.
  absl::StatusOr<std::vector<std::string>> Next();

 private:
  absl::StatusOr<std::string> Cell();
  absl::StatusOr<std::string> QuotedCell();

  const std::string_view text_;
  const char comma_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;  // Where the reader is.
};

/// Drops the blanks around each cell, which a table has for the eye.
void TrimCells(std::vector<std::string>* cells);

}  // namespace vernier

#endif  // VERNIER_BASE_CSV_READER_H_
