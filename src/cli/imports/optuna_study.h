#ifndef VERNIER_CLI_IMPORTS_OPTUNA_STUDY_H_
#define VERNIER_CLI_IMPORTS_OPTUNA_STUDY_H_

#include <string>

#include "absl/status/statusor.h"
#include "cli/imports/foreign_study.h"
#include "cli/imports/optuna_records.h"

namespace vernier {

/// Translates a study; `file` is what the user named. The space is the union of
/// what the trials declared, and conditions are inferred from the completed
/// trials.
///
/// INVALID_ARGUMENT, with the trial, for what Optuna would not have written:
/// unreadable distributions, values in another number than the objectives.
absl::StatusOr<ForeignStudy> FromOptuna(const OptunaStudy& study,
                                        const std::string& file);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_OPTUNA_STUDY_H_
