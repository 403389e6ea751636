#ifndef VERNIER_CLI_IMPORTS_OPTUNA_JOURNAL_H_
#define VERNIER_CLI_IMPORTS_OPTUNA_JOURNAL_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/optuna_records.h"

namespace vernier {

/// Returns whether a text begins as a journal of Optuna's JournalStorage does.
bool IsOptunaJournal(std::string_view text);

/// Replays a journal file of Optuna's JournalStorage, one JSON object a line,
/// and returns the studies that are left, in the order in which they were made.
/// A last line without its end is being written, and does not count. Times have
/// the zone that the journal gives, which releases before Optuna 5 leave out.
///
/// INVALID_ARGUMENT names the file, the line and what is wrong;
/// RESOURCE_EXHAUSTED beyond the bounds of foreign_study.h. Pure.
absl::StatusOr<std::vector<OptunaStudy>> ReadOptunaJournal(
    std::string_view text, const std::string& file);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_OPTUNA_JOURNAL_H_
