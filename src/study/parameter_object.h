#ifndef VERNIER_STUDY_PARAMETER_OBJECT_H_
#define VERNIER_STUDY_PARAMETER_OBJECT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "study/parameter.h"

namespace vernier {

/// The treatment of an active parameter that was left out.
enum class MissingValues {
  kRefuse,
  kTakeDefault,  ///< Its default; refused if it has none.
};

/// Reads parameters in the form that people and programs write: a JSON object
/// with a value for each active parameter, in any order. Numbers may be quoted.
/// The result is in the order of the space; bounds are not checked.
///
/// INVALID_ARGUMENT names a parameter that is missing, not active, unknown (and
/// the nearest known) or of the wrong type.
absl::StatusOr<Parameters> ParametersFromObject(
    const std::vector<ParameterSpec>& space, std::string_view json,
    MissingValues missing = MissingValues::kRefuse);

/// Writes the object on one line. Whole values of DISCRETE parameters are
/// integers, because programs use them as counts, and booleans are booleans.
std::string ParametersToObject(const std::vector<ParameterSpec>& space,
                               const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_OBJECT_H_
