#include "store/objective_values.h"

namespace vernier {

bool MayHaveValues(const StudySnapshot& study) {
  if (study.live_attempts > 0) return true;
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const TrialBrief trial =
        study.trials.Brief(TrialId{static_cast<std::int64_t>(n)});
    if (trial.final_measurement.has_value() || trial.has_finite_report) {
      return true;
    }
  }
  return false;
}

}  // namespace vernier
