#ifndef VERNIER_SUGGEST_SPACE_CONSTRAINED_SPACE_H_
#define VERNIER_SUGGEST_SPACE_CONSTRAINED_SPACE_H_

#include <vector>

#include "absl/status/status.h"
#include "study/parameter_constraint.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {

/// Returns the encoding of `space` whose columns are stretched over what
/// `constraints` leave of the ranges. In columns of the declared ranges the
/// model would see the points of a small region as nearly one place. Without
/// constraints it is the plain encoding. `space` is borrowed as by the
/// encoding.
SearchSpaceEncoding EncodingWithin(
    const std::vector<ParameterSpec>& space,
    const std::vector<ParameterConstraint>& constraints);

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
