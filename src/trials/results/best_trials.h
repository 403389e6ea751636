#ifndef VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_
#define VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/store.h"
#include "trials/results/end_values.h"

namespace vernier {

/// The one rule for the value of a trial and for which trial is best. All
/// interfaces use it, and docs/ends.md explains it to users.

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
/// are ordered by trial id. In a study that repeats points, the trials of a
/// point are compared by its mean (PointTable::Bound), and those of a point
/// that is ruled out may not be the best. O(n log n), besides TrialRanks.
std::vector<TrialId> BestFirst(const StudySnapshot& study);

/// Returns the first trial of BestFirst if it MayBeBest, else null; null, too,
/// for a study of several metrics, which has a front instead. In a study that
/// repeats points, it is the first trial of the best point. Valid as long as
/// `study`. O(n).
const TrialRecord* BestTrial(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_BEST_TRIALS_H_
