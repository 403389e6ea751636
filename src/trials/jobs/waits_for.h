#ifndef VERNIER_TRIALS_JOBS_WAITS_FOR_H_
#define VERNIER_TRIALS_JOBS_WAITS_FOR_H_

#include <string>

#include "store/study_kinds.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

/// Says what a job that is not final waits for; empty if final. `hindrance` is
/// the job's reason to wait. Pure.
std::string JobWaitsFor(JobRef job, const Hindrance& hindrance = {});

/// Says what a trial that is not final waits for; empty if final. `hindrance`
/// is its job's reason to wait. Pure.
std::string TrialWaitsFor(const StudySnapshot& study, const TrialRecord& trial,
                          const Hindrance& hindrance = {});

/// Says what an attempt that is not final waits for; empty if final. Pure.
std::string AttemptWaitsFor(const AttemptRecord& attempt);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_WAITS_FOR_H_
