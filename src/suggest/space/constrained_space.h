#ifndef VERNIER_SUGGEST_SPACE_CONSTRAINED_SPACE_H_
#define VERNIER_SUGGEST_SPACE_CONSTRAINED_SPACE_H_

#include <vector>

#include "absl/status/status.h"
#include "study/parameter_constraint.h"

namespace vernier {

/// Returns OK unless no configuration of `space` meets `constraints`, or
/// FeasibleRegion found none: INVALID_ARGUMENT then names the constraints that
/// exclude one another, as few as are found. A small finite space is searched
/// as a whole. Takes some tenths of a second at most if there is a
/// configuration, some seconds if there is none.
absl::Status CheckNotEmpty(const std::vector<ParameterSpec>& space,
                           const std::vector<ParameterConstraint>& constraints);

/// INVALID_ARGUMENT that names the first constraint that `parameters` do not
/// meet, in words for the person who gave the point.
absl::Status CheckMeetsConstraints(
    const std::vector<ParameterConstraint>& constraints,
    const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_CONSTRAINED_SPACE_H_
