#ifndef VERNIER_BASE_ADD_ONCE_H_
#define VERNIER_BASE_ADD_ONCE_H_

#include <algorithm>
#include <string>
#include <vector>

namespace vernier {

/// Adds the name at the end if the list does not have it yet. O(names), for
/// lists of columns and the like.
inline void AddOnce(const std::string& name, std::vector<std::string>* names) {
  if (std::find(names->begin(), names->end(), name) == names->end()) {
    names->push_back(name);
  }
}

}  // namespace vernier

#endif  // VERNIER_BASE_ADD_ONCE_H_
