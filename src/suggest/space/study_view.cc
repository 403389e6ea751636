#include "suggest/space/study_view.h"

namespace vernier {

std::optional<double> FullObjective(const Observation& observation, Goal goal) {
  if (!observation.objective.has_value() || observation.is_stopped_early) {
    return std::nullopt;
  }
  return goal == Goal::kMaximize ? *observation.objective
                                 : -*observation.objective;
}

}  // namespace vernier
