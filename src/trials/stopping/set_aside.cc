#include "trials/stopping/set_aside.h"

#include "trials/stopping/study_curves.h"

namespace vernier {

bool IsSetAside(const StudyRecord& study, const TrialRecord& trial) {
  if (IsPaused(trial)) return true;
  return study.run.has_value() && !IsTerminal(study.run->state) &&
         study.run->wanted == JobWanted::kPause &&
         trial.state == TrialState::kActive && !trial.attempts.empty() &&
         IsTerminal(trial.attempts.back().state);
}

}  // namespace vernier
