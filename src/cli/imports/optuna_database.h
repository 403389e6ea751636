#ifndef VERNIER_CLI_IMPORTS_OPTUNA_DATABASE_H_
#define VERNIER_CLI_IMPORTS_OPTUNA_DATABASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/imports/optuna_records.h"

namespace vernier {

/// Reads all studies of a SQLite file that Optuna 3, 4 or 5 wrote, by their
/// numbers. The file is not changed, and may be in use.
///
/// Times of a file that Optuna 5 made end in Z, since that writes UTC. Those of
/// older files have no zone: they are the writer's local time, or UTC where
/// Optuna 5 went on with the file, and nothing there tells which.
///
/// Errors as ForeignDatabase has them. INVALID_ARGUMENT for an older schema,
/// with the command that raises it, and for what Optuna would not have written,
/// with the table and the trial.
absl::StatusOr<std::vector<OptunaStudy>> ReadOptunaDatabase(
    const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_OPTUNA_DATABASE_H_
