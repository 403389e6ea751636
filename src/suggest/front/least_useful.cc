#include "suggest/front/least_useful.h"

#include <algorithm>
#include <limits>

namespace vernier {

StudyView WithLeastUseful(const StudyView& view) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  StudyView result = view;
  double best = kNone;
  double best_allowed = kNone;
  for (Observation& observation : result.completed) {
    if (const auto merit = FullObjective(observation, view.goal)) {
      best = std::max(best, *merit);
      if (MeetsConstraints(observation)) {
        best_allowed = std::max(best_allowed, *merit);
      }
    }
    if (best_allowed == kNone) continue;
    // The difference of huge numbers overflows.
    const double least = best_allowed - (best - best_allowed);
    observation.least_useful =
        std::max(least, std::numeric_limits<double>::lowest());
  }
  return result;
}

}  // namespace vernier
