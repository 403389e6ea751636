#ifndef VERNIER_STUDY_PARAMETER_TYPE_NAMES_H_
#define VERNIER_STUDY_PARAMETER_TYPE_NAMES_H_

#include <string_view>

#include "base/enum_name.h"
#include "study/parameter.h"

namespace vernier {

/// The names of the types and scales of parameters in a job file and in stored
/// data.
inline constexpr EnumName<ParameterType> kParameterTypes[] = {
    {"DOUBLE", ParameterType::kDouble},
    {"INTEGER", ParameterType::kInteger},
    {"CATEGORICAL", ParameterType::kCategorical},
    {"DISCRETE", ParameterType::kDiscrete},
};

inline constexpr EnumName<ScaleType> kScaleTypes[] = {
    {"NONE", ScaleType::kNone},
    {"UNIT_LINEAR_SCALE", ScaleType::kLinear},
    {"UNIT_LOG_SCALE", ScaleType::kLog},
    {"UNIT_REVERSE_LOG_SCALE", ScaleType::kReverseLog},
};

constexpr std::string_view NameOf(ParameterType type) {
  return NameIn(kParameterTypes, type);
}

constexpr std::string_view NameOf(ScaleType scale) {
  return NameIn(kScaleTypes, scale);
}

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_TYPE_NAMES_H_
