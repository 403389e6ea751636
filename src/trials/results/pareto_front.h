#ifndef VERNIER_TRIALS_RESULTS_PARETO_FRONT_H_
#define VERNIER_TRIALS_RESULTS_PARETO_FRONT_H_

#include <vector>

#include "store/store.h"

namespace vernier {

/// The optimal trials of a study, by id: those that completed
/// with a finite value of every metric of the study, meet its constraints, and
/// that no other such trial dominates, being at least as good in all metrics
/// and better in one. Equal ones are all optimal. Pure. O(n f m) for n trials,
/// f of them optimal, and m metrics.
std::vector<TrialId> OptimalTrials(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_PARETO_FRONT_H_
