#include "faces/messages/trial_counts.h"

#include <algorithm>

#include "trials/results/best_trials.h"

namespace vernier {

TrialCounts CountTrials(const StudySnapshot& study,
                        std::optional<int> at_work) {
  TrialCounts counts;
  ForEachTrial(study, [&counts](const TrialBrief& trial) {
    ++counts.by_state[trial.state];
    ++counts.total;
  });
  const int active =
      counts.Of(TrialState::kActive) + counts.Of(TrialState::kStopping);
  counts.running =
      std::min(active, study.run.has_value() ? study.live_attempts
                                             : at_work.value_or(active));
  counts.waiting = active - counts.running;
  return counts;
}

}  // namespace vernier
