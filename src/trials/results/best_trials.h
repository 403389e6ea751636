#ifndef VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_
#define VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/store.h"

namespace vernier {

/// The one rule for the value of a trial and for which trial is best. All
/// interfaces use it, and docs/ends.md explains it to users.

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

/// Ranks the trials of a study: first those that no other dominates, if there
/// are several metrics (OptimalTrials), then those that MayBeBest, those that
/// only HasEndValue, and the others. Borrows the study. O(n f m) for n trials,
/// f of them optimal, and m metrics.
class TrialRanks {
 public:
  explicit TrialRanks(const StudySnapshot& study);

  /// Returns the rank of the trial, 0 to 3; larger is better.
  int Of(const TrialBrief& trial) const;
  /// Returns whether the trial is on the front, if there are several metrics;
  /// otherwise false.
  bool IsOptimal(TrialId trial) const;

 private:
  const StudySnapshot& study_;
  std::vector<TrialId> optimal_;  // By id; empty with one metric.
};

/// Returns all trials of a study except deleted ones, best first: by
/// TrialRanks, and those of one rank by the goal of the objective. Equal ones
/// are ordered by trial id. O(n log n), besides TrialRanks.
std::vector<TrialId> BestFirst(const StudySnapshot& study);

/// Returns the first trial of BestFirst if it MayBeBest, else null; null, too,
/// for a study of several metrics, which has a front instead. Valid as long as
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

#endif  // VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_
