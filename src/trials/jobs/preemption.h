#ifndef VERNIER_TRIALS_JOBS_PREEMPTION_H_
#define VERNIER_TRIALS_JOBS_PREEMPTION_H_

#include <vector>

#include "store/store.h"
#include "trials/jobs/study_plan.h"

namespace vernier {

/// The attempts to end so that `job`, which lacks `lack`, can start as many of
/// its trials as it would: of preemptible jobs with a lower priority; the
/// lowest first, and of each job those that started last, which lose least.
/// Each of them is needed for a whole trial, so none ends in vain; attempts
/// that are asked to end already count. A job that may use some of the
/// machine's GPUs only preempts nothing. Pure.
std::vector<AttemptKey> ChoosePreemptions(const StoreSnapshot& snapshot,
                                          const StudySnapshot& job,
                                          RoomLack lack);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_PREEMPTION_H_
