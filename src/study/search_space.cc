#include "study/search_space.h"

#include <algorithm>

namespace vernier {
namespace {

bool Lists(const std::vector<ParameterValue>& values,
           const ParameterValue& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

bool IsActive(const ParameterSpec& spec,
              const std::vector<const ParameterValue*>& values) {
  if (!spec.condition.has_value()) return true;
  const ParameterValue* const parent = values[spec.condition->parent];
  return parent != nullptr && Lists(spec.condition->values, *parent);
}

std::vector<const ParameterValue*> ValuesBySpec(
    const std::vector<ParameterSpec>& space, const Parameters& parameters) {
  std::vector<const ParameterValue*> values(space.size(), nullptr);
  std::size_t next = 0;  // The next value's place, if they are in order.
  for (std::size_t i = 0; i < space.size(); ++i) {
    const ParameterSpec& spec = space[i];
    if (!IsActive(spec, values)) continue;
    auto place = parameters.begin() + static_cast<std::ptrdiff_t>(next);
    if (place == parameters.end() || place->name != spec.name) {
      place = std::find_if(
          parameters.begin(), parameters.end(),
          [&](const NamedValue& value) { return value.name == spec.name; });
    }
    if (place == parameters.end()) continue;
    values[i] = &place->value;
    next = static_cast<std::size_t>(place - parameters.begin()) + 1;
  }
  return values;
}

std::vector<const ParameterSpec*> SpecsByValue(
    const std::vector<ParameterSpec>& space, const Parameters& parameters) {
  const std::vector<const ParameterValue*> values =
      ValuesBySpec(space, parameters);
  std::vector<const ParameterSpec*> specs(parameters.size(), nullptr);
  std::size_t next = 0;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (values[i] == nullptr) continue;
    // The values are usually in order, so the search begins after the last hit.
    std::size_t k = next;
    if (k >= parameters.size() || values[i] != &parameters[k].value) k = 0;
    while (values[i] != &parameters[k].value) ++k;
    specs[k] = &space[i];
    next = k + 1;
  }
  return specs;
}

std::vector<std::string> FormatValues(const std::vector<ParameterSpec>& space,
                                      const Parameters& parameters) {
  const std::vector<const ParameterSpec*> specs =
      SpecsByValue(space, parameters);
  std::vector<std::string> texts;
  texts.reserve(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterValue& value = parameters[i].value;
    texts.push_back(specs[i] != nullptr ? FormatValue(*specs[i], value)
                                        : FormatValue(value));
  }
  return texts;
}

bool AreExclusive(const std::vector<ParameterSpec>& space, std::size_t first,
                  std::size_t second) {
  // A child comes after its parent, so the later of two different parameters
  // is never an ancestor of the earlier: climb from it until they meet.
  const ParameterCondition* last_of_first = nullptr;
  const ParameterCondition* last_of_second = nullptr;
  while (first != second) {
    std::size_t& later = first > second ? first : second;
    const ParameterCondition*& last =
        first > second ? last_of_first : last_of_second;
    if (!space[later].condition.has_value()) return false;
    last = &*space[later].condition;
    later = last->parent;
  }
  if (last_of_first == nullptr || last_of_second == nullptr) return false;
  return std::none_of(last_of_first->values.begin(),
                      last_of_first->values.end(),
                      [&](const ParameterValue& value) {
                        return Lists(last_of_second->values, value);
                      });
}

}  // namespace vernier
