#ifndef VERNIER_STUDY_PARAMETER_VALUE_H_
#define VERNIER_STUDY_PARAMETER_VALUE_H_

#include <optional>
#include <string>

#include "study/parameter.h"

namespace vernier {

/// The value that `number` gives `spec`: an integer if the type is INTEGER, in
/// bounds, one of the discrete values. Null if it is not one, and always for a
/// CATEGORICAL.
std::optional<ParameterValue> ValueOf(const ParameterSpec& spec, double number);

/// The category of `spec` that is `text`, or null.
std::optional<ParameterValue> ValueOf(const ParameterSpec& spec,
                                      const std::string& text);

/// Describes what ValueOf accepts, to follow "must be ": "an integer from 1 to
/// 8", "one of sgd, adam".
std::string DescribeValues(const ParameterSpec& spec);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_VALUE_H_
