#ifndef VERNIER_TRIALS_JOBS_JOB_OUTCOME_H_
#define VERNIER_TRIALS_JOBS_JOB_OUTCOME_H_

#include <optional>
#include <string>

#include "store/study_kinds.h"

namespace vernier {

/// Outcomes of the trials that end in the same plan as their job.
struct EndedNow {
  bool has_success = false;  ///< One of them counts as succeeded.
  bool has_value = false;    ///< One of them has a final measurement.
  std::string last;          ///< "trial 7: MESSAGE"; empty: none ended.
};

/// Says why a job that has nothing left to do has failed, or nullopt if it has
/// succeeded: some trial did, and if the job is tuned, some trial has a value.
/// Reads every trial. Pure.
std::optional<std::string> FailureAtTheEnd(JobRef job, const EndedNow& now);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_JOB_OUTCOME_H_
