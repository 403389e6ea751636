#ifndef VERNIER_SUGGEST_SPACE_PARAMETER_LEVELS_H_
#define VERNIER_SUGGEST_SPACE_PARAMETER_LEVELS_H_

#include <cstdint>

#include "study/parameter.h"

namespace vernier {

/// The values of a parameter, numbered 0, 1, ...: categories as listed, numbers
/// ascending.

/// Returns the number of values; 0 if the parameter is continuous.
std::int64_t CountLevels(const ParameterSpec& spec);

/// `level` in [0, CountLevels(spec)). The lower bound if the parameter is
/// continuous.
ParameterValue ValueAtLevel(const ParameterSpec& spec, std::int64_t level);

/// Inverse of ValueAtLevel; 0 if the parameter is continuous. `value` must fit
/// `spec`.
std::int64_t LevelOfValue(const ParameterSpec& spec,
                          const ParameterValue& value);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_SPACE_PARAMETER_LEVELS_H_
