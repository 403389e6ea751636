#ifndef VERNIER_STUDY_FIND_BY_NAME_H_
#define VERNIER_STUDY_FIND_BY_NAME_H_

#include <algorithm>
#include <string_view>
#include <vector>

#include "study/parameter.h"

namespace vernier {

/// Returns the first entry whose `name` is this one, such as a ParameterSpec or
/// a NamedValue; null if there is none. Borrows `list`. Pure.
template <typename Named>
const Named* FindByName(const std::vector<Named>& list, std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(),
                   [name](const Named& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

/// Returns the value of a parameter; null if it has none, as an inactive one.
/// Borrows `parameters`. Pure.
inline const ParameterValue* FindValue(const Parameters& parameters,
                                       std::string_view name) {
  const NamedValue* const found = FindByName(parameters, name);
  return found == nullptr ? nullptr : &found->value;
}

}  // namespace vernier

#endif  // VERNIER_STUDY_FIND_BY_NAME_H_
