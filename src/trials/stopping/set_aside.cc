#include "trials/stopping/set_aside.h"

#include "trials/stopping/study_curves.h"

namespace vernier {

bool IsSetAside(const StudySnapshot& study, const TrialRecord& trial) {
  if (IsPaused(trial)) return true;
  const auto job = AsJob(study);
  return job.has_value() && !IsTerminal(job->run().state) &&
         job->run().wanted == JobWanted::kPause &&
         trial.state == TrialState::kActive && !trial.attempts.empty() &&
         IsTerminal(trial.attempts.back().state);
}

}  // namespace vernier
