#ifndef VERNIER_CLI_VALUE_PROJECTION_H_
#define VERNIER_CLI_VALUE_PROJECTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// Takes values out of a JSON document as gcloud's --format "value(...)" does.
/// A path is keys joined by points, with [N] for the N-th item of a list
/// ([-1]: the last) and .slice(N) or .slice(N:M); a key of a list is taken of
/// each item: "trainingOutput.trials.trialId.slice(0)". Items of a list are
/// joined by ";". What is missing is an empty text.
///
/// Returns the values of `paths`. INVALID_ARGUMENT for a broken path.
absl::StatusOr<std::vector<std::string>> ProjectValues(
    std::string_view json, const std::vector<std::string>& paths);

}  // namespace vernier

#endif  // VERNIER_CLI_VALUE_PROJECTION_H_
