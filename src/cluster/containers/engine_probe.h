#ifndef VERNIER_CLUSTER_CONTAINERS_ENGINE_PROBE_H_
#define VERNIER_CLUSTER_CONTAINERS_ENGINE_PROBE_H_

#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"

namespace vernier {

/// Finds the engine that runs containers on this machine, and the options that
/// it needs, by running a trivial container with one set of options after the
/// other: some kernels refuse Debian's default runtime, and some environments
/// the limits that it sets. The result is stored in `settings.state_dir` until
/// the machine restarts or the settings change. `environment` is
/// EngineEnvironment's. Takes up to a minute, and almost no time if the result
/// is stored. The conditions of LockInterruptibly hold.
///
/// Errors: FAILED_PRECONDITION if no engine works, with the message of each;
/// CANCELLED after SIGTERM; otherwise an errno's code.
absl::StatusOr<ContainerEngine> FindEngine(const ContainerSettings& settings,
                                           const Environment& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_ENGINE_PROBE_H_
