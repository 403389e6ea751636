#ifndef VERNIER_STORE_PRESENT_SPACE_H_
#define VERNIER_STORE_PRESENT_SPACE_H_

#include <optional>

#include "store/records.h"
#include "study/search_edits.h"

namespace vernier {

/// The search space of a study as it is now, in which trials from before its
/// edits are read. Borrows the study, which must outlive it. Thread-compatible.
class PresentSpace {
 public:
  /// Compares the spaces of the study's versions, or of its job's.
  explicit PresentSpace(const StudyRecord& study);

  /// Unset if the space is the one that the study began with, as are all its
  /// trials then.
  const std::optional<SearchEdits>& edits() const { return edits_; }

  /// Returns the values of a trial of the study in the space; nullopt if the
  /// trial lies outside. If the space was never edited, they are as they were.
  std::optional<Parameters> Read(Parameters parameters) const;

 private:
  const StudySpec& spec_;
  std::optional<SearchEdits> edits_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PRESENT_SPACE_H_
