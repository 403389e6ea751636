#ifndef VERNIER_TRIALS_BEST_TRIALS_H_
#define VERNIER_TRIALS_BEST_TRIALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/store.h"

namespace vernier {

/// All trials of a study except deleted ones, best first by the goal of its
/// objective. Those with a final measurement come first, then those without;
/// equal ones are ordered by trial id. A running trial counts as one without.
/// O(n log n).
std::vector<TrialId> BestFirst(const StudySnapshot& study);

/// The first of them if it has a final measurement; else null. Valid as long as
/// `study`. O(n).
const TrialRecord* BestTrial(const StudySnapshot& study);

/// Calls `visit` with the TrialBrief of each trial that is not deleted, by id.
template <typename Visit>
void ForEachTrial(const StudySnapshot& study, const Visit& visit) {
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId(static_cast<std::int64_t>(n)));
    if (!IsDeleted(trial)) visit(trial);
  }
}

}  // namespace vernier

#endif  // VERNIER_TRIALS_BEST_TRIALS_H_
