#include "suggest/space/space_membership.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "study/search_space.h"

namespace vernier {
namespace {

absl::Status Misfit(const ParameterSpec& spec, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("parameter \"", spec.name, "\" ", why));
}

// Integers are compared as integers, because a double would round those beyond
// 2^53.
template <typename Number>
absl::Status CheckRange(const ParameterSpec& spec, Number value) {
  const auto low = static_cast<Number>(spec.min_value);
  const auto high = static_cast<Number>(spec.max_value);
  // The comparison is written so that NaN fails.
  if (value >= low && value <= high) return absl::OkStatus();
  return Misfit(spec,
                absl::StrCat("must be in [", low, ", ", high, "]: ", value));
}

absl::Status CheckValue(const ParameterSpec& spec,
                        const ParameterValue& value) {
  switch (spec.type) {
    case ParameterType::kDouble:
      if (const auto* number = std::get_if<double>(&value)) {
        return CheckRange(spec, *number);
      }
      return Misfit(spec, "is DOUBLE but its value is not a double");
    case ParameterType::kInteger:
      if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return CheckRange(spec, *number);
      }
      return Misfit(spec, "is INTEGER but its value is not an integer");
    case ParameterType::kDiscrete:
      if (const auto* number = std::get_if<double>(&value)) {
        // binary_search would find NaN anywhere.
        const auto place = std::lower_bound(
            spec.discrete_values.begin(), spec.discrete_values.end(), *number);
        if (place != spec.discrete_values.end() && *place == *number) {
          return absl::OkStatus();
        }
        return Misfit(spec, absl::StrCat("must be one of its ",
                                         spec.discrete_values.size(),
                                         " discrete values: ", *number));
      }
      return Misfit(spec, "is DISCRETE but its value is not a double");
    case ParameterType::kCategorical:
      if (const auto* text = std::get_if<std::string>(&value)) {
        if (std::find(spec.categorical_values.begin(),
                      spec.categorical_values.end(),
                      *text) != spec.categorical_values.end()) {
          return absl::OkStatus();
        }
        return Misfit(spec, absl::StrCat("must be one of its ",
                                         spec.categorical_values.size(),
                                         " categories: \"", *text, "\""));
      }
      return Misfit(spec, "is CATEGORICAL but its value is not a string");
  }
  return Misfit(spec, "has an unknown type");
}

absl::Status Locate(const char* list, std::size_t index,
                    const absl::Status& status) {
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      absl::StrCat(list, "[", index, "]: ", status.message()));
}

}  // namespace

absl::Status CheckFitsSpace(const std::vector<ParameterSpec>& space,
                            const Parameters& parameters) {
  std::vector<const ParameterValue*> values(space.size(), nullptr);
  std::size_t next = 0;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const ParameterSpec& spec = space[i];
    if (!IsActive(spec, values)) continue;
    if (next == parameters.size()) {
      return Misfit(spec, "is missing");
    }
    if (parameters[next].name != spec.name) {
      return absl::InvalidArgumentError(absl::StrCat(
          "parameter ", next, " must be \"", spec.name,
          "\", as in the search space: \"", parameters[next].name, "\""));
    }
    values[i] = &parameters[next].value;
    VERNIER_RETURN_IF_ERROR(CheckValue(spec, *values[i]));
    ++next;
  }
  if (next < parameters.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("parameter ", next, ", \"", parameters[next].name,
                     "\", is not active or not in the search space"));
  }
  return absl::OkStatus();
}

absl::Status CheckSuggestRequest(const StudyView& view, int count) {
  if (count < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("count must be >= 1: ", count));
  }
  if (view.space.empty()) {
    return absl::InvalidArgumentError(
        "the search space must have >= 1 parameter: 0");
  }
  return absl::OkStatus();
}

absl::Status CheckSuggestArguments(const StudyView& view, int count) {
  VERNIER_RETURN_IF_ERROR(CheckSuggestRequest(view, count));
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    const Observation& observation = view.completed[i];
    VERNIER_RETURN_IF_ERROR(Locate(
        "completed", i, CheckFitsSpace(view.space, observation.parameters)));
    if (observation.objective.has_value() &&
        !std::isfinite(*observation.objective)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "completed[", i,
          "]: objective must be finite: ", *observation.objective));
    }
  }
  for (std::size_t i = 0; i < view.pending.size(); ++i) {
    VERNIER_RETURN_IF_ERROR(
        Locate("pending", i, CheckFitsSpace(view.space, view.pending[i])));
  }
  for (std::size_t i = 0; i < view.given_up.size(); ++i) {
    VERNIER_RETURN_IF_ERROR(
        Locate("given_up", i, CheckFitsSpace(view.space, view.given_up[i])));
  }
  return absl::OkStatus();
}

}  // namespace vernier
