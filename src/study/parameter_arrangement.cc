#include "study/parameter_arrangement.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "study/search_space.h"

namespace vernier {
namespace {

absl::Status WrongArrangement(const std::string& name, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("parameter \"", name, "\" ", why));
}

// Returns the value as one of the parameter's type.
absl::StatusOr<ParameterValue> Typed(const ParameterSpec& spec,
                                     ParameterValue value) {
  if (spec.type == ParameterType::kCategorical) {
    if (std::holds_alternative<std::string>(value)) return value;
    return WrongArrangement(spec.name,
                            "is CATEGORICAL but its value is no text");
  }
  if (std::holds_alternative<std::string>(value)) {
    return WrongArrangement(spec.name, "is a number but its value is text");
  }
  if (spec.type == ParameterType::kInteger) {
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr) return value;
    if (std::trunc(*number) != *number ||
        std::fabs(*number) > kMaxExactInteger) {
      return WrongArrangement(
          spec.name,
          absl::StrCat("is INTEGER but its value is not: ", *number));
    }
    return ParameterValue(static_cast<std::int64_t>(*number));
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return ParameterValue(static_cast<double>(*integer));
  }
  return value;
}

}  // namespace

absl::StatusOr<Parameters> ArrangeParameters(
    const std::vector<ParameterSpec>& space, Parameters given) {
  std::map<std::string, ParameterValue> by_name;
  for (NamedValue& one : given) {
    if (!by_name.emplace(one.name, std::move(one.value)).second) {
      return WrongArrangement(one.name, "is there twice");
    }
  }
  Parameters arranged;
  arranged.reserve(given.size());
  std::vector<const ParameterValue*> values(space.size(), nullptr);
  std::vector<ParameterValue> typed(space.size());
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (!IsActive(space[i], values)) continue;
    const auto found = by_name.find(space[i].name);
    if (found == by_name.end())
      return WrongArrangement(space[i].name, "has no value");
    VERNIER_ASSIGN_OR_RETURN(typed[i], Typed(space[i], found->second));
    values[i] = &typed[i];
    arranged.push_back({space[i].name, typed[i]});
    by_name.erase(found);
  }
  if (!by_name.empty()) {
    return WrongArrangement(by_name.begin()->first,
                            "is not one of this configuration's parameters");
  }
  return arranged;
}

}  // namespace vernier
