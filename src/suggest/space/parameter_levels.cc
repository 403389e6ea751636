#include "suggest/space/parameter_levels.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <variant>

namespace vernier {

std::int64_t CountLevels(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
      return spec.min_value < spec.max_value ? 0 : 1;
    case ParameterType::kInteger:
      return static_cast<std::int64_t>(spec.max_value) -
             static_cast<std::int64_t>(spec.min_value) + 1;
    case ParameterType::kCategorical:
      return std::ssize(spec.categorical_values);
    case ParameterType::kDiscrete:
      return std::ssize(spec.discrete_values);
  }
  return 0;
}

ParameterValue ValueAtLevel(const ParameterSpec& spec, std::int64_t level) {
  const auto index = static_cast<std::size_t>(level);
  switch (spec.type) {
    case ParameterType::kDouble:
      break;
    case ParameterType::kInteger:
      return static_cast<std::int64_t>(spec.min_value) + level;
    case ParameterType::kCategorical:
      return spec.categorical_values[index];
    case ParameterType::kDiscrete:
      return spec.discrete_values[index];
  }
  return spec.min_value;
}

std::int64_t LevelOfValue(const ParameterSpec& spec,
                          const ParameterValue& value) {
  switch (spec.type) {
    case ParameterType::kDouble:
      break;
    case ParameterType::kInteger:
      return std::get<std::int64_t>(value) -
             static_cast<std::int64_t>(spec.min_value);
    case ParameterType::kCategorical:
      return std::find(spec.categorical_values.begin(),
                       spec.categorical_values.end(),
                       std::get<std::string>(value)) -
             spec.categorical_values.begin();
    case ParameterType::kDiscrete:
      return std::lower_bound(spec.discrete_values.begin(),
                              spec.discrete_values.end(),
                              std::get<double>(value)) -
             spec.discrete_values.begin();
  }
  return 0;
}

}  // namespace vernier
