#ifndef VERNIER_CLI_IMPORTS_CSV_TABLE_H_
#define VERNIER_CLI_IMPORTS_CSV_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// Texts under column names: each row has as many cells as there are columns.
struct CsvTable {
  struct Row {
    std::size_t line = 0;  ///< Of the file, from 1, where the row begins.
    std::vector<std::string> cells;
  };

  std::vector<std::string> columns;  ///< Distinct.
  std::vector<Row> rows;
};

/// Reads comma separated values (RFC 4180) with a header: cells may be in
/// quotes, lines end in LF or CR LF, and empty lines are passed over. Blanks
/// around a cell are dropped, and so is a first column without a name, which
/// pandas writes.
///
/// INVALID_ARGUMENT names the file, the line and what is wrong;
/// RESOURCE_EXHAUSTED for more than kMostForeignTrials rows or 2,000 columns.
/// Pure.
absl::StatusOr<CsvTable> ParseCsv(std::string_view text,
                                  const std::string& file);

/// Returns a clause if a table of one column seems to be one whose columns
/// something else than commas separates: "; it seems to be separated by
/// semicolons, and a CSV file is by commas". Otherwise an empty text. Pure.
std::string SeparatorHint(const std::vector<std::string>& columns);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_CSV_TABLE_H_
