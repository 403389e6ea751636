#ifndef VERNIER_CLUSTER_SLURM_JOB_IDENTITY_H_
#define VERNIER_CLUSTER_SLURM_JOB_IDENTITY_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier {

/// How the names of a service's jobs begin: "vernier-INSTANCE-". `instance` is
/// 8 hex digits that no other service of this user has.
std::string JobNamePrefix(std::string_view instance);

/// The name of an attempt's job, unique for ever: the prefix and the attempt's
/// nonce. The name is the job's identity, never Slurm's number: an acknowledged
/// number can be lost and given to another job.
std::string JobName(std::string_view instance, std::string_view nonce);

/// The name of a component of a heterogeneous job: the first has the job's own
/// name and the others "NAME.1", "NAME.2"..., since jobs of one name wait for
/// each other (--dependency=singleton).
std::string ComponentName(const std::string& job_name, std::size_t component);

/// The job's name in the name of a component.
std::string JobOfComponent(std::string_view component_name);

/// Whether this is the name of a job of the service with this prefix.
bool IsJobName(std::string_view name, std::string_view prefix);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_IDENTITY_H_
