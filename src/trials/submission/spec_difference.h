#ifndef VERNIER_TRIALS_SUBMISSION_SPEC_DIFFERENCE_H_
#define VERNIER_TRIALS_SUBMISSION_SPEC_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// What a job would do otherwise if `after` took the place of `before`, in
/// words: "command changed", "maxParallelTrials 2 -> 4". Both are a
/// ParsedJob's JSON. Numbers and names of settings are told; programs,
/// arguments and values of the environment are not, since they may be long or
/// secret. Left out are the name, the code folder and maxTrials, which count
/// otherwise (job_revision.h). Pure.
absl::StatusOr<std::vector<std::string>> DescribeDifference(
    const std::string& before, const std::string& after);

/// OK if `after` searches the same as `study`: goal, metric and how it is
/// reduced, space, seed and resumed job. Else FAILED_PRECONDITION, naming what
/// differs. A seed that `after` leaves out is the present one. The metric may
/// be another as long as no trial has, or may yet get, a value of the present
/// one: its name was wrong. Pure.
absl::Status CheckSameSearch(const StudySnapshot& study, const JobSpec& after);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SPEC_DIFFERENCE_H_
