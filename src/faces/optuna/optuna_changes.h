#ifndef VERNIER_FACES_OPTUNA_OPTUNA_CHANGES_H_
#define VERNIER_FACES_OPTUNA_OPTUNA_CHANGES_H_

#include <optuna/storage_service.pb.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/change.h"
#include "store/store.h"

namespace vernier {

/// These functions make the changes for the store that calls of Optuna's
/// clients ask for. All of them are pure.

inline constexpr std::size_t kMostOptunaKeyBytes = std::size_t{4} << 10;
inline constexpr std::size_t kMostOptunaValueBytes = std::size_t{16} << 20;

/// INVALID_ARGUMENT for names and texts that are too long to keep.
absl::Status CheckOptunaText(const std::string& key, const std::string& value);

/// Returns the update of one fact of a study or, with `trial`, of a trial.
MetadataUpdate SetFact(std::optional<TrialId> trial, const char* space,
                       const std::string& key, const std::string& value);

/// Sets an attribute. One of a user is an attribute of ours, too, if it can be
/// one; `present` are the metadata that its owner has.
UpdateMetadata AttributeChange(StudyId study, std::optional<TrialId> trial,
                               const Metadata& present, const char* space,
                               const std::string& key,
                               const std::string& value);

/// Gives an open trial a parameter. INVALID_ARGUMENT for a distribution that is
/// none, or not compatible with the first of its name in the study.
absl::StatusOr<std::vector<Change>> ParameterChanges(
    const StudySnapshot& study, TrialId trial, const std::string& name,
    double internal, const std::string& distribution);

/// Ends a trial as COMPLETE, PRUNED or FAIL with `values`, if there are any.
/// INVALID_ARGUMENT for values that are NaN, or not one for each objective.
absl::StatusOr<std::vector<Change>> EndChanges(
    const StudySnapshot& study, const TrialRecord& trial,
    optuna::TrialState state, const std::vector<double>& values);

/// Adds a trial with all that `from` says of it; `made` gets its number.
absl::StatusOr<std::vector<Change>> TemplateChanges(const StudySnapshot& study,
                                                    const optuna::Trial& from,
                                                    Timestamp now,
                                                    TrialId* made);

}  // namespace vernier

#endif  // VERNIER_FACES_OPTUNA_OPTUNA_CHANGES_H_
