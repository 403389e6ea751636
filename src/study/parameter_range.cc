#include "study/parameter_range.h"

namespace vernier {

double LowestOf(const ParameterSpec& spec) {
  return spec.type == ParameterType::kDiscrete ? spec.discrete_values.front()
                                               : spec.min_value;
}

double HighestOf(const ParameterSpec& spec) {
  return spec.type == ParameterType::kDiscrete ? spec.discrete_values.back()
                                               : spec.max_value;
}

bool IsConstant(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      return spec.min_value >= spec.max_value;
    case ParameterType::kDiscrete:
      return spec.discrete_values.size() < 2;
    case ParameterType::kCategorical:
      return spec.categorical_values.size() < 2;
  }
  return true;
}

}  // namespace vernier
