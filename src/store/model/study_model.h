#ifndef VERNIER_STORE_MODEL_STUDY_MODEL_H_
#define VERNIER_STORE_MODEL_STUDY_MODEL_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/model/change_context.h"

namespace vernier {

/// Applies one change by the laws of change.h: life cycles, caps, leases. Pure
/// but for the measurement table. On an error the caller must UndoItem.
absl::Status ApplyChange(const Change& change, ChangeContext& context);

/// What must be applied before ApplyCreateJob, in the same transaction: what
/// ends and removes the job that `job` replaces, if it replaces one. The errors
/// are those of NewJob::replaces.
absl::StatusOr<std::vector<Change>> ChangesBeforeCreate(
    const NewJob& job, const ChangeContext& context);

/// Applies Store::CreateJob, likewise.
absl::StatusOr<StudyId> ApplyCreateJob(const NewJob& job,
                                       ChangeContext& context);

/// Applies Store::CreateStudy, likewise.
absl::StatusOr<StudyId> ApplyCreateStudy(const NewStudy& study,
                                         ChangeContext& context);

}  // namespace vernier

#endif  // VERNIER_STORE_MODEL_STUDY_MODEL_H_
