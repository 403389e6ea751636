#ifndef VERNIER_CLI_IMPORTS_TABLE_FILE_H_
#define VERNIER_CLI_IMPORTS_TABLE_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/foreign_study.h"
#include "cli/imports/table_study.h"

namespace vernier {

/// What the user says of a table's columns, as flags.
struct TableFlags {
  std::vector<std::string> parameters;  ///< NAME, or NAME=VALUES as in a run.
  std::vector<std::string> metrics;     ///< NAME:minimize or NAME:maximize.
  std::string id;
  std::string state;
  std::string started;
  std::string ended;
};

/// Returns the columns that the flags name. INVALID_ARGUMENT names a flag that
/// is wrong or missing.
absl::StatusOr<TableColumns> ColumnsFromFlags(const TableFlags& flags);

/// Reads a study of a CSV file; its name is the file's, without the ending.
///
/// Errors: those of ParseCsv and StudyFromTable; INVALID_ARGUMENT names a flag
/// that is wrong or missing; NOT_FOUND if there is no file.
absl::StatusOr<ForeignStudy> ReadTableFile(const std::string& path,
                                           const TableFlags& flags);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_TABLE_FILE_H_
