#ifndef VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_
#define VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/store.h"

namespace vernier {

/// The one rule for what a trial's value is and which trial is best; all faces
/// ask here, and docs/ends.md says it to people.

/// Whether the trial has ended with a value: it is complete, or was stopped and
/// keeps the last that it reported.
inline bool HasEndValue(const TrialBrief& trial) {
  return trial.final_measurement.has_value() &&
         (trial.state == TrialState::kCompleted ||
          trial.state == TrialState::kStopped);
}

/// Whether the trial may be the best of its study: it is complete and has a
/// value. The last value of a training that was cut short, by whomever, is none
/// that the parameters reach.
inline bool MayBeBest(const TrialBrief& trial) {
  return trial.state == TrialState::kCompleted && HasEndValue(trial);
}

/// All trials of a study except deleted ones, best first by the goal of its
/// objective: those that MayBeBest by value, then those that only HasEndValue,
/// by value, then the others. Equal ones are ordered by trial id. O(n log n).
std::vector<TrialId> BestFirst(const StudySnapshot& study);

/// The first of them if it MayBeBest; else null. Valid as long as `study`.
/// O(n).
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

#endif  // VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_
