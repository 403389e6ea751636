#include "trials/stopping/leading_trial.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace vernier {

bool IsLeading(const StudySnapshot& study, TrialId id) {
  const Goal goal = ObjectiveOf(*study.spec).goal;
  const auto& own = study.trials.Get(id).objective.best;
  if (!own.has_value()) return false;
  const auto is_better = [&](double a, double b) {
    return goal == Goal::kMaximize ? a > b : a < b;
  };
  const bool is_behind =
      std::any_of(study.open.begin(), study.open.end(), [&](TrialId other) {
        const auto& best = study.trials.Get(other).objective.best;
        if (other == id || !best.has_value()) return false;
        return is_better(best->value, own->value) ||
               (best->value == own->value && other < id);
      });
  if (is_behind) return false;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (trial.end_cause == TrialEndCause::kSuccess &&
        trial.final_measurement.has_value() &&
        is_better(trial.final_measurement->value, own->value)) {
      return false;
    }
  }
  return true;
}

}  // namespace vernier
