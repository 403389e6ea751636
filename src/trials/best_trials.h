#ifndef VERNIER_TRIALS_BEST_TRIALS_H_
#define VERNIER_TRIALS_BEST_TRIALS_H_

#include <vector>

#include "store/store.h"

namespace vernier {

/// All trials of a study except deleted ones, best first by the goal of its
/// objective. Those with a final measurement come first, then those without;
/// equal ones are ordered by trial id. A running trial counts as one without.
/// O(n log n).
std::vector<TrialId> BestFirst(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_BEST_TRIALS_H_
