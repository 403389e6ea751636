#ifndef VERNIER_SUGGEST_SPACE_SPACE_MEMBERSHIP_H_
#define VERNIER_SUGGEST_SPACE_SPACE_MEMBERSHIP_H_

#include <vector>

#include "absl/status/status.h"
#include "study/parameter.h"
#include "suggest/space/study_view.h"

namespace vernier {

/// OK if `parameters` has exactly the space's names in the space's order, each
/// with a value of the right type within bounds. Otherwise INVALID_ARGUMENT
/// names the parameter, the value and what is allowed.
absl::Status CheckFitsSpace(const std::vector<ParameterSpec>& space,
                            const Parameters& parameters);

/// INVALID_ARGUMENT if count < 1 or the space is empty.
absl::Status CheckSuggestRequest(const StudyView& view, int count);

/// The same, and INVALID_ARGUMENT if an observation or pending
/// point does not fit the space, or an objective is not finite.
absl::Status CheckSuggestArguments(const StudyView& view, int count);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_SPACE_MEMBERSHIP_H_
