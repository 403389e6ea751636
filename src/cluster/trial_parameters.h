#ifndef VERNIER_CLUSTER_TRIAL_PARAMETERS_H_
#define VERNIER_CLUSTER_TRIAL_PARAMETERS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "study/job_spec.h"
#include "study/parameter.h"

namespace vernier {

/// The most bytes that the service puts into one variable of a program's
/// environment. Linux takes 131,071, name and all, and the files of variables
/// that container engines read have lines of at most 65,535.
inline constexpr std::size_t kLongestVariable = 60000;

/// Returns a trial's parameters as VERNIER_PARAMETERS has them: one line of
/// JSON, each value of its own type (see ParametersToObject). Empty if the job
/// tunes nothing.
std::string TrialParametersJson(const JobSpec& spec,
                                const Parameters& parameters);

/// Returns the file that VERNIER_PARAMETERS_FILE names. It is in the attempt's
/// MetricDirectory, the one folder of the attempt that containers see, too.
std::string TrialParametersFile(const std::string& metric_dir);

/// Writes a file that programs read. Any user may read it, because a
/// container's program may be of another one.
absl::Status WriteForPrograms(const std::string& path,
                              const std::string& contents);

/// Writes that file if the parameters are too long for a variable.
absl::Status WriteLongParameters(const std::string& metric_dir,
                                 const JobSpec& spec,
                                 const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_TRIAL_PARAMETERS_H_
