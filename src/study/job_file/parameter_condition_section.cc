// Reads childParameterSpecs: the conditions under which a parameter is active.

#include "study/job_file/parameter_condition_section.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/parameter_type_names.h"
#include "study/parameter_value.h"

namespace vernier {
namespace {

// Returns the key of the list that a child has for the values of its parent
// with which it is active; empty if a parameter of this type cannot have
// children.
std::string_view ConditionKey(ParameterType parent) {
  switch (parent) {
    case ParameterType::kDouble:
      return "";
    case ParameterType::kInteger:
      return "parentIntValues";
    case ParameterType::kCategorical:
      return "parentCategoricalValues";
    case ParameterType::kDiscrete:
      return "parentDiscreteValues";
  }
  return "";
}

std::vector<ParameterValue> ReadValues(ObjectReader& list,
                                       const ParameterSpec& parent) {
  std::vector<ParameterValue> values;
  const auto add = [&](const std::optional<ParameterValue>& value,
                       const std::string& text) {
    if (!value.has_value()) {
      list.Error("values", "must be values that \"" + ShowText(parent.name) +
                               "\" can take: " + text);
    } else if (std::find(values.begin(), values.end(), *value) !=
               values.end()) {
      list.Error("values", "must list each value once: " + text);
    } else {
      values.push_back(*value);
    }
  };
  constexpr std::size_t kMaxValues = 1000;
  if (!list.HasAtMost("values", kMaxValues, "values")) return values;
  bool is_empty = true;
  if (parent.type == ParameterType::kCategorical) {
    for (const std::string& text : list.Strings("values")) {
      add(ValueOf(parent, text), "\"" + ShowText(text) + "\"");
      is_empty = false;
    }
  } else {
    for (const double number : list.Numbers("values")) {
      add(ValueOf(parent, number), NumberText(number));
      is_empty = false;
    }
  }
  if (is_empty) list.Error("values", "must list at least one value");
  return values;
}

}  // namespace

bool CanHaveChildren(ParameterType parent) {
  return !ConditionKey(parent).empty();
}

ParameterCondition ReadCondition(ObjectReader& child,
                                 const ParameterSpec& parent,
                                 std::size_t parent_index) {
  ParameterCondition condition{parent_index, {}};
  const std::string_view key = ConditionKey(parent.type);
  bool is_of_other_type = false;
  for (const std::string_view other :
       {"parentIntValues", "parentCategoricalValues", "parentDiscreteValues"}) {
    if (other == key) continue;
    child.SkipOutput(other);
    if (child.Has(other)) {
      is_of_other_type = true;
      child.Error(other, "must be " + std::string(key) +
                             ", since the parent has type " +
                             std::string(NameOf(parent.type)));
    }
  }
  if (!child.Has(key)) {
    if (is_of_other_type) return condition;
    child.Error(key, "is required: for which values of \"" +
                         ShowText(parent.name) + "\" the parameter is active");
    return condition;
  }
  ObjectReader list = child.Child(key);
  condition.values = ReadValues(list, parent);
  child.Attach(key, list);
  return condition;
}

}  // namespace vernier
