#include "trials/stopping/leading_trial.h"

#include <cstddef>
#include <cstdint>

#include "suggest/curves/training_length.h"

namespace vernier {

std::optional<TrialId> LeadingTrial(const StudySnapshot& study) {
  const Goal goal = ObjectiveOf(*study.spec).goal;
  std::optional<TrialId> leader;
  double value = 0;
  for (const TrialId id : study.open) {
    const auto& best = study.trials.Get(id).objective.best;
    if (!best.has_value()) continue;
    if (leader.has_value() && !IsWorse(value, best->value, goal)) continue;
    leader = id;
    value = best->value;
  }
  if (!leader.has_value()) return std::nullopt;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (trial.end_cause == TrialEndCause::kSuccess &&
        trial.final_measurement.has_value() &&
        IsWorse(value, trial.final_measurement->value, goal)) {
      return std::nullopt;
    }
  }
  return leader;
}

}  // namespace vernier
