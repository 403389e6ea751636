#include "study/metrics/former_names.h"

#include <algorithm>

namespace vernier {

const std::string& RecordedName(const FormerNames& names,
                                const std::string& name) {
  auto found = names.find(name);
  if (found == names.end()) {
    const std::string* const present = FindFormer(names, name);
    if (present != nullptr) found = names.find(*present);
  }
  return found == names.end() || found->second.empty() ? name
                                                       : found->second.front();
}

const std::string& NameOfRecorded(const FormerNames& names,
                                  const std::string& recorded) {
  for (const auto& [present, former] : names) {
    if (!former.empty() && former.front() == recorded) return present;
  }
  return recorded;
}

const std::string* FindFormer(const FormerNames& names,
                              const std::string& former) {
  for (const auto& [present, list] : names) {
    if (std::find(list.begin(), list.end(), former) != list.end()) {
      return &present;
    }
  }
  return nullptr;
}

}  // namespace vernier
