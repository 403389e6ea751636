#ifndef VERNIER_TRIALS_SUBMISSION_RESUMED_JOB_H_
#define VERNIER_TRIALS_SUBMISSION_RESUMED_JOB_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// Completes a job with `resumePreviousJobId` from the job of the same project
/// that it resumes: what it leaves out of goal, params and
/// hyperparameterMetricTag is taken over, and what it repeats must be equal,
/// because the old trials are data for the new ones. Pure.
///
/// Errors: NOT_FOUND if that job is unknown; FAILED_PRECONDITION if it is not
/// final; INVALID_ARGUMENT if it is no tuning job or something differs.
absl::StatusOr<ParsedJob> CompleteResumedJob(const ParsedJob& job,
                                             const StoreSnapshot& snapshot,
                                             const std::string& project);

/// Returns the fields of the search that `job` leaves out, such as goal, params
/// and hyperparameterMetricTag, with their values in `previous`, the JSON of
/// another ParsedJob. Pure.
absl::StatusOr<std::vector<FieldOverride>> SearchToTakeOver(
    const ParsedJob& job, const std::string& previous);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_RESUMED_JOB_H_
