#ifndef VERNIER_STUDY_PARAMETER_VALUE_H_
#define VERNIER_STUDY_PARAMETER_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "study/parameter.h"

namespace vernier {

/// Returns the number that a value is; nullopt for a category.
inline std::optional<double> NumberOf(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  return std::nullopt;
}

/// Returns the value of `spec` that `number` stands for: an integer if the type
/// is INTEGER, in bounds, one of the discrete values. nullopt if there is none,
/// and always for a CATEGORICAL.
std::optional<ParameterValue> ValueOf(const ParameterSpec& spec, double number);

/// Returns the category of `spec` that is `text`, or nullopt. If `spec` has
/// booleans, "True" and "true" are the same.
std::optional<ParameterValue> ValueOf(const ParameterSpec& spec,
                                      const std::string& text);

/// True if the parameter may have this value: it has the parameter's type, and
/// is within its bounds or one of its values.
bool IsPossible(const ParameterSpec& spec, const ParameterValue& value);

/// Returns the boolean that `text` stands for: "true" or "false" with small or
/// capital letters; nullopt for any other text.
std::optional<bool> BooleanOf(std::string_view text);

/// True if each value of `spec` is true or false, quoted or not, so that a flag
/// that is present or absent can stand for it.
bool IsSwitch(const ParameterSpec& spec);

/// Describes what ValueOf accepts, to follow "must be ": "an integer from 1 to
/// 8", "one of sgd, adam".
std::string DescribeValues(const ParameterSpec& spec);

}  // namespace vernier

#endif  // VERNIER_STUDY_PARAMETER_VALUE_H_
