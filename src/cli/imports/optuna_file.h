#ifndef VERNIER_CLI_IMPORTS_OPTUNA_FILE_H_
#define VERNIER_CLI_IMPORTS_OPTUNA_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/optuna_records.h"

namespace vernier {

/// Reads all studies of a file of Optuna's: a SQLite database, or the journal
/// of a JournalStorage. It is recognised by its beginning.
///
/// Errors as ReadOptunaDatabase and ReadOptunaJournal; INVALID_ARGUMENT for
/// another file.
absl::StatusOr<std::vector<OptunaStudy>> ReadOptunaFile(
    const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_OPTUNA_FILE_H_
