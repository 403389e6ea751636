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

/// Whether the trial may be the best of its study: it is complete, has a value,
/// and is known to meet the study's constraints. The last value of a training
/// that was cut short, by whomever, is none that the parameters reach.
bool MayBeBest(const StudySnapshot& study, const TrialBrief& trial);

/// How the trials of a study come one before the other: first those that no
/// other dominates, if there are several metrics (OptimalTrials), then those
/// that MayBeBest, those that only HasEndValue, and the others. Borrows the
/// study. O(n f m) for n trials, f of them optimal, and m metrics.
class TrialRanks {
 public:
  explicit TrialRanks(const StudySnapshot& study);

  /// Larger is better.
  int Of(const TrialBrief& trial) const;
  /// Of several metrics: whether it is one of the front.
  bool IsOptimal(TrialId trial) const;

 private:
  const StudySnapshot& study_;
  std::vector<TrialId> optimal_;  // By id; none of one metric.
};

/// All trials of a study except deleted ones, best first: by TrialRanks, and
/// those of one rank by the goal of the objective. Equal ones are ordered by
/// trial id. O(n log n), but for TrialRanks.
std::vector<TrialId> BestFirst(const StudySnapshot& study);

/// The first of them if it MayBeBest; else null, and null of a study of several
/// metrics, which has a front. Valid as long as `study`. O(n).
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
