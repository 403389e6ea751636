#ifndef VERNIER_STUDY_JOB_FILE_PARAMETER_CONDITION_SECTION_H_
#define VERNIER_STUDY_JOB_FILE_PARAMETER_CONDITION_SECTION_H_

#include <cstddef>

#include "study/config/object_reader.h"
#include "study/parameter.h"

namespace vernier {

/// True for a type with distinct values, which a condition can name.
bool CanHaveChildren(ParameterType parent);

/// Reads the values of `parent` with which the parameter in `child` is active:
/// the one of parentIntValues, parentCategoricalValues and parentDiscreteValues
/// that fits the parent. Reports the other two, an absent or empty list and
/// every value that the parent cannot take or that is listed twice.
/// `parent_index` is the parent's position in the search space.
ParameterCondition ReadCondition(ObjectReader& child,
                                 const ParameterSpec& parent,
                                 std::size_t parent_index);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_PARAMETER_CONDITION_SECTION_H_
