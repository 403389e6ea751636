#ifndef VERNIER_CLI_DISPLAY_VALUE_PROJECTION_H_
#define VERNIER_CLI_DISPLAY_VALUE_PROJECTION_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// Decides whether a path of keys may be absent from a document: OK if such
/// documents can have it, otherwise INVALID_ARGUMENT with the known paths.
using PathCheck = std::function<absl::Status(const std::vector<std::string>&)>;

/// Extracts values from a JSON document as gcloud's --format "value(...)" does:
/// one line per item of a list, else one line, with the values of `paths`
/// separated by tabs. A path is keys joined by points, with [N] for the N-th
/// item of a list ([-1]: the last) and .slice(N) or .slice(N:M); a key after a
/// list applies to each item: "trainingOutput.trials.trialId.slice(0)". Items
/// of a list are joined by ";". If some items lack a path, its text is empty
/// there.
///
/// INVALID_ARGUMENT for a malformed path, and for one that no item has, unless
/// `may_be_absent` allows it. Without that function a path that no item has is
/// allowed only if there are no items.
absl::StatusOr<std::string> ProjectValues(
    std::string_view json, const std::vector<std::string>& paths,
    const PathCheck& may_be_absent = nullptr);

}  // namespace vernier

#endif  // VERNIER_CLI_DISPLAY_VALUE_PROJECTION_H_
