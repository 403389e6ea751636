#ifndef VERNIER_TRIALS_RESULTS_PARETO_FRONT_H_
#define VERNIER_TRIALS_RESULTS_PARETO_FRONT_H_

#include <vector>

#include "store/store.h"

namespace vernier {

/// A trial that may be optimal: it completed with a finite value of every
/// metric of the study, meets its constraints, and was not deleted.
struct FrontCandidate {
  TrialId trial{};
  Timestamp ended_at{};
  std::vector<double> merits;  ///< Its values, signed so that more is better.
};

/// Returns the candidates of a study by id. Pure.
std::vector<FrontCandidate> FrontCandidates(const StudySnapshot& study);

/// Returns the optimal trials of a study by id: the candidates that no other
/// one dominates. One dominates another if it is at least as good in all
/// metrics and better in one. Equal ones are all optimal. Pure. O(n f m) for n
/// trials, f of them optimal, and m metrics.
std::vector<TrialId> OptimalTrials(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_PARETO_FRONT_H_
