#ifndef VERNIER_CLUSTER_SLURM_JOB_IDENTITY_H_
#define VERNIER_CLUSTER_SLURM_JOB_IDENTITY_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier {

/// Returns the prefix of the names of a service's jobs: "vernier-INSTANCE-".
/// `instance` is 8 hex digits that no other service of this user has.
std::string JobNamePrefix(std::string_view instance);

/// Returns the name of an attempt's job: the prefix and the attempt's nonce. It
/// is unique forever. Jobs are identified by this name and never by Slurm's
/// number, since an acknowledged number can be lost and given to another job.
std::string JobName(std::string_view instance, std::string_view nonce);

/// Returns the name of a component of a heterogeneous job: the first has the
/// job's own name and the others "NAME.1", "NAME.2"..., because jobs of one
/// name wait for each other (--dependency=singleton).
std::string ComponentName(const std::string& job_name, std::size_t component);

/// Returns the job's name, given the name of one of its components.
std::string JobOfComponent(std::string_view component_name);

/// Returns whether this is the name of a job of the service with this prefix.
bool IsJobName(std::string_view name, std::string_view prefix);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_IDENTITY_H_
