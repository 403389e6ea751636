#ifndef VERNIER_TRIALS_STUDY_INDEX_H_
#define VERNIER_TRIALS_STUDY_INDEX_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "store/store.h"

namespace vernier {

/// Finds studies that clients run by their resource names, and remembers the id
/// of each. Thread-safe.
class StudyIndex {
 public:
  /// Borrows `store`, which must outlive this object.
  explicit StudyIndex(const Store& store) : store_(store) {}

  /// Returns the study as it is now. NOT_FOUND if there is none. O(log studies)
  /// for a name that was found before, else O(studies).
  absl::StatusOr<std::shared_ptr<const StudySnapshot>> Find(
      const std::string& name) const;
  /// Drops what is known of the name. Call it when a study was deleted.
  void Forget(const std::string& name);

 private:
  std::optional<StudyId> LastIdOf(const std::string& name) const;

  const Store& store_;
  mutable Mutex mu_;  // Held for map look-ups only.
  // The id at the last look-up of a name; it changes only by deletion.
  mutable std::map<std::string, StudyId> ids_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_STUDY_INDEX_H_
