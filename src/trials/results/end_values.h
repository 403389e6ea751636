#ifndef VERNIER_TRIALS_RESULTS_END_VALUES_H_
#define VERNIER_TRIALS_RESULTS_END_VALUES_H_

#include <cstddef>
#include <cstdint>

#include "store/store.h"

namespace vernier {

/// Returns whether the trial has ended with a value: it is complete, or was
/// stopped and keeps the last value that it reported.
inline bool HasEndValue(const TrialBrief& trial) {
  return trial.final_measurement.has_value() &&
         (trial.state == TrialState::kCompleted ||
          trial.state == TrialState::kStopped);
}

/// Returns whether the trial may be the best of its study: it is complete, has
/// a value, and is known to meet the study's constraints. A training that was
/// cut short, by whomever, may not, because its last value is not the one that
/// the parameters reach.
bool MayBeBest(const StudySnapshot& study, const TrialBrief& trial);

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

#endif  // VERNIER_TRIALS_RESULTS_END_VALUES_H_
