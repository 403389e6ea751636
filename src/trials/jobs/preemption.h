#ifndef VERNIER_TRIALS_JOBS_PREEMPTION_H_
#define VERNIER_TRIALS_JOBS_PREEMPTION_H_

#include <vector>

#include "store/study_kinds.h"
#include "trials/jobs/study_plan.h"

namespace vernier {

/// Chooses the attempts to end so that `job`, which lacks `lack`, can start as
/// many as RoomLack::attempts. They belong to preemptible jobs with a lower
/// priority. The lowest priority comes first, and within one those that started
/// last, because they lose the least work. Only attempts that complete the room
/// for a whole trial are chosen, so none ends in vain; those that were asked to
/// end before count as room. A job that may use only some of the machine's GPUs
/// preempts nothing. Pure.
std::vector<AttemptKey> ChoosePreemptions(const StoreSnapshot& snapshot,
                                          JobRef job, RoomLack lack);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_PREEMPTION_H_
