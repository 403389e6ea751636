#include "faces/messages/trial_counts.h"

#include <algorithm>

#include "trials/results/best_trials.h"
#include "trials/stopping/set_aside.h"

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
  counts.running = std::min(
      active, IsJob(study) ? study.live_attempts : at_work.value_or(active));
  counts.waiting = active - counts.running;
  if (!IsJob(study)) return counts;
  counts.paused = static_cast<int>(
      std::count_if(study.open.begin(), study.open.end(), [&study](TrialId id) {
        return IsSetAside(study, *study.trials.Share(id));
      }));
  return counts;
}

}  // namespace vernier
