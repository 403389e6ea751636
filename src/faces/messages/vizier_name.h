#ifndef VERNIER_FACES_MESSAGES_VIZIER_NAME_H_
#define VERNIER_FACES_MESSAGES_VIZIER_NAME_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/ids.h"

namespace vernier {

/// Resource names of OSS Vizier. Each part may be any text without '/'. Calls
/// that name no trial also take the studies of the Python package and of REST,
/// whose parent is "projects/P/locations/L" in place of "owners/OWNER":
/// `vernier import` makes such studies.

/// "owners/OWNER/studies/STUDY/trials/ID".
struct VizierTrialName {
  std::string study;  ///< "owners/OWNER/studies/STUDY".
  TrialId trial{};
};

/// "owners/OWNER/operations/suggestion/STUDY/CLIENT/NUMBER".
struct VizierOperationName {
  std::string study;  ///< "owners/OWNER/studies/STUDY".
  std::string client_id;
  std::int64_t number = 0;
};

/// OK for "owners/OWNER" and "projects/P/locations/L", otherwise
/// INVALID_ARGUMENT that shows the form.
absl::Status CheckVizierOwner(std::string_view name);
/// OK for "owners/OWNER/studies/STUDY", and likewise below a project.
absl::Status CheckVizierStudy(std::string_view name);
absl::StatusOr<VizierTrialName> ParseVizierTrial(std::string_view name);
absl::StatusOr<VizierOperationName> ParseVizierOperation(std::string_view name);

/// A trial's number as the protocol writes it. INVALID_ARGUMENT unless it is a
/// positive decimal.
absl::StatusOr<TrialId> ParseVizierTrialId(std::string_view text);

std::string VizierOperation(const VizierOperationName& name);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_VIZIER_NAME_H_
