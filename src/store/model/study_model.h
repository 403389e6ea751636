#ifndef VERNIER_STORE_MODEL_STUDY_MODEL_H_
#define VERNIER_STORE_MODEL_STUDY_MODEL_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/model/change_context.h"

namespace vernier {

/// Applies one change by the rules of change.h: life cycles, caps, leases. Pure
/// except for the measurement table. After an error the caller must UndoItem.
absl::Status ApplyChange(const Change& change, ChangeContext& context);

/// The changes that must be applied before ApplyCreateJob, in the same
/// transaction: they end and remove the job that `job` replaces, if any. Errors
/// are those of NewJob::replaces.
absl::StatusOr<std::vector<Change>> ChangesBeforeCreate(
    const NewJob& job, const ChangeContext& context);

/// Applies Store::CreateJob, in the same way.
absl::StatusOr<StudyId> ApplyCreateJob(const NewJob& job,
                                       ChangeContext& context);

/// Applies Store::CreateStudy, in the same way.
absl::StatusOr<StudyId> ApplyCreateStudy(const NewStudy& study,
                                         ChangeContext& context);

}  // namespace vernier

#endif  // VERNIER_STORE_MODEL_STUDY_MODEL_H_
