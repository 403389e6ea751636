#ifndef VERNIER_STUDY_PARAMETER_ARRANGEMENT_H_
#define VERNIER_STUDY_PARAMETER_ARRANGEMENT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "study/parameter.h"

namespace vernier {

/// Arranges values that are given by name in any order, as in a configuration.
/// The result is in the order of the space, each value of its parameter's type
/// (a whole double becomes an INTEGER's value). Bounds are not checked. Names
/// must be distinct.
///
/// INVALID_ARGUMENT names a parameter that is missing, not active, unknown, or
/// whose value has the wrong type.
absl::StatusOr<Parameters> ArrangeParameters(
    const std::vector<ParameterSpec>& space, Parameters given);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_ARRANGEMENT_H_
