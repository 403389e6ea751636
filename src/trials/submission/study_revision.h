#ifndef VERNIER_TRIALS_SUBMISSION_STUDY_REVISION_H_
#define VERNIER_TRIALS_SUBMISSION_STUDY_REVISION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"

namespace vernier {

/// A user's edit of the search of a study that clients run.
struct StudyRevision {
  /// The fields that change, as in JobRevision::edit: the parameters, the
  /// constraints between them, and kRenamedFrom.
  std::string edit;
  /// See SpecEdit::client_data; empty: as before.
  std::string client_data = "";
  std::string request_id = "";  ///< As the store keeps it.
};

/// The result of comparing a study with its revision.
struct StudyRevisionPlan {
  std::vector<std::string> changes;  ///< In words; empty: none.
  ReviseStudy change{};              ///< To commit if there are changes.
};

/// Compares the revision with the study, by the rules of a job's edits. The
/// order of parameters does not matter; a linear scale and a default that are
/// left out stay. INVALID_ARGUMENT for a field that no edit can change and for
/// a space that cannot be; FAILED_PRECONDITION as PlanEditOf, and if the study
/// gets its space from its trials. Errors of PlanMetricRenames. Pure.
absl::StatusOr<StudyRevisionPlan> PlanStudyRevision(ClientStudyRef study,
                                                    const StudyRevision& asked);

/// Returns the digest that binds a request id to what was asked for.
std::uint64_t DigestOf(const StudyRecord& study, const StudyRevision& asked);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_STUDY_REVISION_H_
