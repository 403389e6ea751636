#include "trials/study_index.h"

#include "absl/strings/str_cat.h"

namespace vernier {

absl::StatusOr<std::shared_ptr<const StudySnapshot>> StudyIndex::Find(
    const std::string& name) const {
  using Study = std::shared_ptr<const StudySnapshot>;
  const auto snapshot = store_.Snapshot();
  const auto get = [&](StudyId id) -> Study {
    const auto found = snapshot->find(id);
    if (found == snapshot->end() || IsJob(*found->second) ||
        found->second->name != name) {
      return nullptr;
    }
    return found->second;
  };
  const std::optional<StudyId> known = LastIdOf(name);
  if (known.has_value()) {
    if (Study found = get(*known)) return found;
  }
  // The newest is checked first, since a name that was reused is more likely
  // asked for.
  for (auto entry = snapshot->rbegin(); entry != snapshot->rend(); ++entry) {
    Study found = get(entry->first);
    if (found == nullptr) continue;
    const MutexLock lock(mu_);
    ids_[name] = entry->first;
    return found;
  }
  if (known.has_value()) {
    const MutexLock lock(mu_);
    ids_.erase(name);
  }
  return absl::NotFoundError(absl::StrCat("there is no study \"", name, "\""));
}

std::optional<StudyId> StudyIndex::LastIdOf(const std::string& name) const {
  const MutexLock lock(mu_);
  const auto found = ids_.find(name);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

void StudyIndex::Forget(const std::string& name) {
  const MutexLock lock(mu_);
  ids_.erase(name);
}

}  // namespace vernier
