#include "study/parameter_value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/match.h"
#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// A message gives only the length of a list that is longer than this.
constexpr std::size_t kMostListed = 10;

template <typename Value, typename Print>
std::string OneOf(const std::vector<Value>& values, const Print& print) {
  if (values.size() > kMostListed) {
    return "one of its " + std::to_string(values.size()) + " values";
  }
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "one of " : ", ") + print(value);
  }
  return text;
}

}  // namespace

std::optional<ParameterValue> ValueOf(const ParameterSpec& spec,
                                      double number) {
  switch (spec.type) {
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      if (!(number >= spec.min_value && number <= spec.max_value)) break;
      if (spec.type == ParameterType::kDouble) return number;
      if (std::trunc(number) != number) break;
      return static_cast<std::int64_t>(number);
    case ParameterType::kDiscrete:
      if (std::find(spec.discrete_values.begin(), spec.discrete_values.end(),
                    number) == spec.discrete_values.end()) {
        break;
      }
      return number;
    case ParameterType::kCategorical:
      break;
  }
  return std::nullopt;
}

std::optional<ParameterValue> ValueOf(const ParameterSpec& spec,
                                      const std::string& text) {
  const std::vector<std::string>& values = spec.categorical_values;
  if (std::find(values.begin(), values.end(), text) != values.end()) {
    return text;
  }
  const std::optional<bool> boolean =
      spec.has_booleans ? BooleanOf(text) : std::nullopt;
  if (!boolean.has_value()) return std::nullopt;
  for (const std::string& value : values) {
    if (BooleanOf(value) == boolean) return value;
  }
  return std::nullopt;
}

bool IsPossible(const ParameterSpec& spec, const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    for (const std::string& possible : spec.categorical_values) {
      if (spec.type == ParameterType::kCategorical && possible == *text) {
        return true;
      }
    }
    return false;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const auto number = static_cast<double>(*integer);
    return spec.type == ParameterType::kInteger && number >= spec.min_value &&
           number <= spec.max_value;
  }
  const double number = std::get<double>(value);
  if (spec.type == ParameterType::kDouble) {
    return number >= spec.min_value && number <= spec.max_value;
  }
  for (const double possible : spec.discrete_values) {
    if (spec.type == ParameterType::kDiscrete && possible == number) {
      return true;
    }
  }
  return false;
}

std::optional<bool> BooleanOf(std::string_view text) {
  if (absl::EqualsIgnoreCase({text.data(), text.size()}, "true")) return true;
  if (absl::EqualsIgnoreCase({text.data(), text.size()}, "false")) return false;
  return std::nullopt;
}

bool IsSwitch(const ParameterSpec& spec) {
  return spec.type == ParameterType::kCategorical &&
         std::all_of(spec.categorical_values.begin(),
                     spec.categorical_values.end(),
                     [](const std::string& value) {
                       return BooleanOf(value).has_value();
                     });
}

std::string DescribeValues(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
    case ParameterType::kInteger:
      return std::string(spec.type == ParameterType::kDouble ? "a number"
                                                             : "an integer") +
             " from " + NumberText(spec.min_value) + " to " +
             NumberText(spec.max_value);
    case ParameterType::kDiscrete:
      return OneOf(spec.discrete_values, NumberText);
    case ParameterType::kCategorical:
      return OneOf(spec.categorical_values,
                   [](const std::string& value) { return ShowText(value); });
  }
  return "";
}

}  // namespace vernier
