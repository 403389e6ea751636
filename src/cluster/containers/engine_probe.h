#ifndef VERNIER_CLUSTER_CONTAINERS_ENGINE_PROBE_H_
#define VERNIER_CLUSTER_CONTAINERS_ENGINE_PROBE_H_

#include "absl/status/statusor.h"
#include "cluster/containers/container_engine.h"

namespace vernier {

/// Finds the engine that runs containers here, and the options that it needs,
/// by running a trivial container with one set after the other: some kernels
/// refuse Debian's default runtime, and some surroundings the limits that it
/// sets. What was found is remembered in `settings.state_dir` until the machine
/// restarts or the settings change. `environment` is EngineEnvironment's. Takes
/// up to a minute, and once found no time. LockInterruptibly's conditions hold.
///
/// Errors: FAILED_PRECONDITION if none works, with what each said; CANCELLED
/// after SIGTERM; otherwise an errno's code.
absl::StatusOr<ContainerEngine> FindEngine(const ContainerSettings& settings,
                                           const Environment& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_ENGINE_PROBE_H_
