#include "study/search_edits.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "study/find_by_name.h"
#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

// Returns the position of the value of this name; the values are usually in the
// order of the space, so the search begins at `next`.
std::optional<std::size_t> PositionOfValue(const Parameters& parameters,
                                           const std::string& name,
                                           std::size_t next) {
  if (next < parameters.size() && parameters[next].name == name) return next;
  const NamedValue* const found = FindByName(parameters, name);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::size_t>(found - parameters.data());
}

bool IsDroppedValue(const SearchEdits& edits, const NamedValue& value) {
  const ParameterValue* const dropped = FindValue(edits.dropped, value.name);
  return dropped != nullptr && *dropped == value.value;
}

}  // namespace

std::optional<ParameterValue> ValueWhenDropped(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::kDouble:
      if (spec.min_value == spec.max_value) return spec.min_value;
      break;
    case ParameterType::kInteger:
      if (spec.min_value == spec.max_value) {
        return static_cast<std::int64_t>(spec.min_value);
      }
      break;
    case ParameterType::kDiscrete:
      if (spec.discrete_values.size() == 1) return spec.discrete_values[0];
      break;
    case ParameterType::kCategorical:
      if (spec.categorical_values.size() == 1) {
        return spec.categorical_values[0];
      }
      break;
  }
  return spec.default_value;
}

std::optional<SearchEdits> EditsAfter(std::optional<SearchEdits> edits,
                                      const std::vector<ParameterSpec>& before,
                                      const std::vector<ParameterSpec>& after) {
  if (before == after) return edits;
  SearchEdits next = std::move(edits).value_or(SearchEdits{});
  std::erase_if(next.dropped, [&](const NamedValue& value) {
    return FindByName(after, value.name) != nullptr;
  });
  for (const ParameterSpec& spec : before) {
    if (FindByName(after, spec.name) != nullptr ||
        FindByName(next.dropped, spec.name) != nullptr) {
      continue;
    }
    if (std::optional<ParameterValue> value = ValueWhenDropped(spec)) {
      next.dropped.push_back({spec.name, *std::move(value)});
    }
  }
  return next;
}

std::optional<Parameters> ParametersInSpace(
    const std::vector<ParameterSpec>& space, const SearchEdits& edits,
    const Parameters& parameters) {
  std::vector<const ParameterValue*> values(space.size(), nullptr);
  std::vector<bool> is_used(parameters.size(), false);
  Parameters present;
  present.reserve(space.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const ParameterSpec& spec = space[i];
    if (!IsActive(spec, values)) continue;
    if (const auto place = PositionOfValue(parameters, spec.name, next)) {
      values[i] = &parameters[*place].value;
      is_used[*place] = true;
      next = *place + 1;
    } else if (spec.default_value.has_value()) {
      values[i] = &*spec.default_value;
    }
    if (values[i] == nullptr || !IsPossible(spec, *values[i])) {
      return std::nullopt;
    }
    present.push_back({spec.name, *values[i]});
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (!is_used[k] && !IsDroppedValue(edits, parameters[k])) {
      return std::nullopt;
    }
  }
  return present;
}

}  // namespace vernier
