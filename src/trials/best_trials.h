#ifndef VERNIER_TRIALS_BEST_TRIALS_H_
#define VERNIER_TRIALS_BEST_TRIALS_H_

#include <vector>

#include "store/store.h"

namespace vernier {

/// All trials of a study but deleted ones, best first by the goal of its
/// objective: by final measurement, then those without one, each by trial id
/// among equals. A running trial counts as without. O(n log n).
std::vector<TrialId> BestFirst(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_BEST_TRIALS_H_
