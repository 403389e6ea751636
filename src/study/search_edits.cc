#include "study/search_edits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "study/parameter_value.h"
#include "study/search_space.h"

namespace vernier {
namespace {

template <typename Named>
auto FindNamed(const std::vector<Named>& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(),
                      [&](const Named& one) { return one.name == name; });
}

// Returns the position of the value of this name; the values are usually in the
// order of the space, so the search begins at `next`.
std::optional<std::size_t> FindValue(const Parameters& parameters,
                                     const std::string& name,
                                     std::size_t next) {
  if (next < parameters.size() && parameters[next].name == name) return next;
  const auto found = FindNamed(parameters, name);
  if (found == parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - parameters.begin());
}

bool IsDroppedValue(const SearchEdits& edits, const NamedValue& value) {
  const auto dropped = FindNamed(edits.dropped, value.name);
  return dropped != edits.dropped.end() && dropped->value == value.value;
}

}  // namespace

std::string FormatValue(const ParameterValue& value) {
  // A whole number among doubles is more often one of a DISCRETE parameter's
  // values than it is hit in a range.
  ParameterSpec spec;
  spec.type = ParameterType::kDiscrete;
  return FormatValue(spec, value);
}

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
    return FindNamed(after, value.name) != after.end();
  });
  for (const ParameterSpec& spec : before) {
    if (FindNamed(after, spec.name) != after.end() ||
        FindNamed(next.dropped, spec.name) != next.dropped.end()) {
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
    if (const auto place = FindValue(parameters, spec.name, next)) {
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
