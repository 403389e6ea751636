#ifndef VERNIER_TRIALS_JOBS_LIVE_ATTEMPTS_H_
#define VERNIER_TRIALS_JOBS_LIVE_ATTEMPTS_H_

#include "store/study_kinds.h"

namespace vernier {

/// Calls `visit(job, trial, attempt)` for each attempt of the job that is not
/// final.
template <typename Visit>
void ForEachLive(JobRef job, const Visit& visit) {
  if (job->live_attempts == 0) return;
  for (const TrialId id : job->open) {
    const TrialRecord& trial = job->trials.Get(id);
    if (trial.attempts.empty()) continue;
    const AttemptRecord& attempt = trial.attempts.back();
    if (!IsTerminal(attempt.state)) visit(job, trial, attempt);
  }
}

/// Does the same for the attempts of all jobs. Trials of clients have none.
template <typename Visit>
void ForEachLive(const StoreSnapshot& snapshot, const Visit& visit) {
  for (const auto& [id, study] : snapshot) {
    if (const auto job = AsJob(*study)) ForEachLive(*job, visit);
  }
}

inline AttemptKey KeyOf(const StudySnapshot& study, const TrialRecord& trial,
                        const AttemptRecord& attempt) {
  return {study.id, trial.id, attempt.number};
}

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_LIVE_ATTEMPTS_H_
