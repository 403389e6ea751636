#ifndef VERNIER_TRIALS_BEST_TRIALS_H_
#define VERNIER_TRIALS_BEST_TRIALS_H_

#include <vector>

#include "store/store.h"

namespace vernier {

/// All trials of a study but deleted ones, best first by the job's goal: by
/// final measurement, then those without one, each by trial id among equals. A
/// running trial counts as without. O(n log n).
std::vector<TrialId> BestFirst(const StudySnapshot& study);

/// Goal of the study; kMaximize for a job without tuning.
Goal GoalOf(const JobRecord& job);

}  // namespace vernier

#endif  // VERNIER_TRIALS_BEST_TRIALS_H_
