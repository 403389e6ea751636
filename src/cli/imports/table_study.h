#ifndef VERNIER_CLI_IMPORTS_TABLE_STUDY_H_
#define VERNIER_CLI_IMPORTS_TABLE_STUDY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/csv_table.h"
#include "cli/imports/foreign_study.h"

namespace vernier {

/// What the columns of a table of trials are.
struct TableColumns {
  std::vector<MetricGoal> metrics;
  /// Parameters whose values the user has given.
  std::vector<ParameterSpec> given;
  /// Parameters whose values are inferred. If there are neither these nor
  /// given ones: all columns that are nothing else.
  std::vector<std::string> inferred;
  std::string id;     ///< Tells the rows apart; empty: their number, from 1.
  std::string state;  ///< Empty: a row has ended.
  std::string started;
  std::string ended;
};

/// Reads a study of a table, a row for each trial. A column that is nothing
/// becomes attributes. A row is complete if it has all metrics, and infeasible
/// without; its state, if there is a column of states, says so in the words of
/// the tools that people export from ("finished", "failed", "running", ...).
///
/// Types: whole numbers, numbers, or a choice between texts, by what the column
/// holds; a range of positive numbers over three decades or more is on a log
/// scale. `notes` of the result says what was inferred.
///
/// INVALID_ARGUMENT names the file, and the column or the line. Pure.
absl::StatusOr<ForeignStudy> StudyFromTable(const CsvTable& table,
                                            const TableColumns& columns,
                                            const std::string& file,
                                            const std::string& name);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_TABLE_STUDY_H_
