#ifndef VERNIER_STUDY_PARAMETER_VALUE_H_
#define VERNIER_STUDY_PARAMETER_VALUE_H_

#include <optional>
#include <string>
#include <string_view>

#include "study/parameter.h"

namespace vernier {

/// The value that `number` gives `spec`: an integer if the type is INTEGER, in
/// bounds, one of the discrete values. Null if it is not one, and always for a
/// CATEGORICAL.
std::optional<ParameterValue> ValueOf(const ParameterSpec& spec, double number);

/// The category of `spec` that is `text`, or null. Where `spec` has booleans,
/// "True" and "true" are one.
std::optional<ParameterValue> ValueOf(const ParameterSpec& spec,
                                      const std::string& text);

/// The boolean that `text` is, "true" or "false" with small or capital letters;
/// null for any other text.
std::optional<bool> BooleanOf(std::string_view text);

/// Whether each value of `spec` is true or false, quoted or not, so that a flag
/// which is there or not can stand for it.
bool IsSwitch(const ParameterSpec& spec);

/// Describes what ValueOf accepts, to follow "must be ": "an integer from 1 to
/// 8", "one of sgd, adam".
std::string DescribeValues(const ParameterSpec& spec);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_VALUE_H_
