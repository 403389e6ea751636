#ifndef VERNIER_TRIALS_SUBMISSION_SPEC_DIFFERENCE_H_
#define VERNIER_TRIALS_SUBMISSION_SPEC_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// Says what a job would do differently if `after` replaced `before`: "command
/// changed", "maxParallelTrials 2 -> 4". Both are a ParsedJob's JSON, because
/// the fields in it, unlike those of a JobSpec, have the names and the order
/// that users know, and only those that were given are there.
///
/// Numbers and names of settings are shown; programs, arguments and values of
/// the environment are not, because they may be long or secret. The name, the
/// code folder and maxTrials are left out, because job_revision.h compares
/// them. Pure.
absl::StatusOr<std::vector<std::string>> DescribeDifference(
    const std::string& before, const std::string& after);

/// Returns OK if `after` searches for the same as `study`: goal, metric and its
/// reduction, seed and resumed job. Otherwise FAILED_PRECONDITION, naming the
/// difference. A seed that `after` leaves out
/// is the present one. Metrics may differ in their names, as far as
/// vernier.renamedFrom says so, and altogether as long as no trial has, or may
/// still get, a value of the present one, because then its name was wrong.
/// Pure.
absl::Status CheckSameAim(JobRef job, const JobSpec& after);

/// Returns OK if the metrics of `after` have the names of the study's, or none
/// has a value. Otherwise FAILED_PRECONDITION, naming one that does not. Pure.
absl::Status CheckSameNames(JobRef job, const JobSpec& after);

/// Returns OK if `after` searches the same space as `study`, with the same
/// constraints between parameters. Otherwise FAILED_PRECONDITION, naming the
/// difference. Pure.
absl::Status CheckSameSpace(JobRef job, const JobSpec& after);

/// Returns whether two search spaces have the same parameters under the same
/// conditions, but list them differently. Pure.
bool IsSameSpaceReordered(const std::vector<ParameterSpec>& before,
                          const std::vector<ParameterSpec>& after);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SPEC_DIFFERENCE_H_
