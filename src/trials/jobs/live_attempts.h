#ifndef VERNIER_TRIALS_JOBS_LIVE_ATTEMPTS_H_
#define VERNIER_TRIALS_JOBS_LIVE_ATTEMPTS_H_

#include "store/store.h"

namespace vernier {

/// Calls `visit(study, trial, attempt)` for each attempt of the study that is
/// not final.
template <typename Visit>
void ForEachLive(const StudySnapshot& study, const Visit& visit) {
  if (study.live_attempts == 0) return;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    if (trial.attempts.empty()) continue;
    const AttemptRecord& attempt = trial.attempts.back();
    if (!IsTerminal(attempt.state)) visit(study, trial, attempt);
  }
}

/// Does the same for the attempts of all studies.
template <typename Visit>
void ForEachLive(const StoreSnapshot& snapshot, const Visit& visit) {
  for (const auto& [id, study] : snapshot) ForEachLive(*study, visit);
}

inline AttemptKey KeyOf(const StudySnapshot& study, const TrialRecord& trial,
                        const AttemptRecord& attempt) {
  return {study.id, trial.id, attempt.number};
}

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_LIVE_ATTEMPTS_H_
