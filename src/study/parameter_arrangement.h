#ifndef VERNIER_STUDY_PARAMETER_ARRANGEMENT_H_
#define VERNIER_STUDY_PARAMETER_ARRANGEMENT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "study/parameter.h"

namespace vernier {

/// Values by name, in any order, as those of a configuration: in the order of
/// the space, each of its parameter's type (a whole double is an INTEGER's
/// value). Bounds are not checked. Names must be distinct.
///
/// INVALID_ARGUMENT names a parameter that is missing, not active, unknown, or
/// whose value has the wrong type.
absl::StatusOr<Parameters> ArrangeParameters(
    const std::vector<ParameterSpec>& space, Parameters given);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_ARRANGEMENT_H_
