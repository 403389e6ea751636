#ifndef VERNIER_TRIALS_SUBMISSION_JOB_STATE_ERROR_H_
#define VERNIER_TRIALS_SUBMISSION_JOB_STATE_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "store/study_kinds.h"

namespace vernier {

/// Returns FAILED_PRECONDITION for a request that does not fit the job's state;
/// `advice` names one that does.
inline absl::Status WrongState(JobRef job, const std::string& advice) {
  return absl::FailedPreconditionError(
      absl::StrCat("job \"", job->name, "\" is ",
                   std::string(ToString(job.run().state)), "; ", advice));
}

/// Returns whether the job's trials are being ended for good, or have been.
inline bool IsStopping(JobRef job) {
  return job.run().state == JobState::kCancelling ||
         job.run().wanted == JobWanted::kStop ||
         job.run().wanted == JobWanted::kFail;
}

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_JOB_STATE_ERROR_H_
