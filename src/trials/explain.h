#ifndef VERNIER_TRIALS_EXPLAIN_H_
#define VERNIER_TRIALS_EXPLAIN_H_

#include <string>

#include "store/store.h"

namespace vernier {

/// What a job that is not final waits for, in words; empty if final.
/// `quota_wait`: what of its project's quota it waits for (QuotaWaits::Of), or
/// empty. Pure.
std::string JobWaitsFor(const StudySnapshot& study,
                        const std::string& quota_wait = "");

/// What a trial that is not final waits for, in words; empty if final. Pure.
std::string TrialWaitsFor(const StudySnapshot& study, const TrialRecord& trial);

/// What an attempt that is not final waits for, in words; empty if final. Pure.
std::string AttemptWaitsFor(const AttemptRecord& attempt);

/// Some lines that say why the job is as it is: state and why, trials by
/// outcome, limits, best trial. `quota_wait` as for JobWaitsFor. Pure.
std::string ExplainJob(const StudySnapshot& study,
                       const std::string& quota_wait = "");

/// Some lines on one trial: where its parameters come from, what happened in
/// each attempt, why it ended. Pure.
std::string ExplainTrial(const StudySnapshot& study, const TrialRecord& trial);

}  // namespace vernier

#endif  // VERNIER_TRIALS_EXPLAIN_H_
