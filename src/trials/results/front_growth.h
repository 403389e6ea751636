#ifndef VERNIER_TRIALS_RESULTS_FRONT_GROWTH_H_
#define VERNIER_TRIALS_RESULTS_FRONT_GROWTH_H_

#include <vector>

#include "store/store.h"
#include "trials/results/front.h"

namespace vernier {

/// A trial that widened the front, and the hypervolume of the front with it.
struct FrontStep {
  TrialId trial{};
  double hypervolume = 0;
};

/// Returns how `front`, which must be FrontOf the study, has grown: the trials
/// that widened it, in the order in which they ended. Volumes are measured
/// above the reference that the front has now, so they rise to that of `front`.
/// Empty where that would take long: for more than 5,000 results with two
/// metrics, 500 with three, 100 with more. Pure.
std::vector<FrontStep> GrowthOf(const StudySnapshot& study, const Front& front);

}  // namespace vernier

#endif  // VERNIER_TRIALS_RESULTS_FRONT_GROWTH_H_
