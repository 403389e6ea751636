#ifndef VERNIER_CLUSTER_ATTEMPT_LAUNCH_PREPARATION_H_
#define VERNIER_CLUSTER_ATTEMPT_LAUNCH_PREPARATION_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/small_file.h"
#include "cluster/attempt/trial_resources.h"
#include "cluster/containers/container_engine.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Finds the service's resources for an attempt; INVALID_ARGUMENT or NOT_FOUND
/// if it can never run. Must not take long. If null, the job itself names all.
using ResolveResources =
    std::function<absl::StatusOr<TrialResources>(const LaunchRequest&)>;

/// Returns INVALID_ARGUMENT for a request that can never be launched on this
/// machine: a malformed nonce, folders that are not absolute, or devices that
/// cannot be divided among the replicas.
absl::Status CheckLaunchRequest(const LaunchRequest& request);

/// The launcher's part of a launch, in addition to the request.
struct LaunchSettings {
  const ResolveResources& resolve;
  bool machine_has_gpus = false;
  std::int64_t log_cap_bytes = 0;  ///< Per replica.
  const ContainerSettings& containers;
  /// The durability of the launch file; a supervisor of this machine needs no
  /// more.
  Durability durability = Durability::kVolatile;
};

/// Makes the attempt's folders and, last, its launch file, which the supervisor
/// reads. If the attempt can never run, the file states the reason, and the
/// supervisor ends it.
///
/// Errors: UNAVAILABLE and RESOURCE_EXHAUSTED from `resolve`; or an errno's
/// code. It may be called again.
absl::Status PrepareLaunch(const LaunchRequest& request,
                           const LaunchSettings& settings);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_LAUNCH_PREPARATION_H_
