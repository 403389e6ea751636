#ifndef VERNIER_STUDY_PARAMETER_RANGE_H_
#define VERNIER_STUDY_PARAMETER_RANGE_H_

#include "study/parameter.h"

namespace vernier {

/// Returns the least value of a parameter of numbers.
double LowestOf(const ParameterSpec& spec);

/// Returns the largest value of a parameter of numbers.
double HighestOf(const ParameterSpec& spec);

/// True if the parameter has one possible value, or none.
bool IsConstant(const ParameterSpec& spec);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_RANGE_H_
