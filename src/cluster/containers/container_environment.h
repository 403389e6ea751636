#ifndef VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENVIRONMENT_H_
#define VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENVIRONMENT_H_

#include <cstddef>

#include "cluster/trial_environment.h"

namespace vernier {

/// Returns ReplicaEnvironment for a replica in a container. Variables that
/// describe the host (such as its PATH, HOME and Python) are left out, because
/// the image has its own. Of the inherited variables only proxies and the
/// settings of NCCL, Gloo and OpenMP are kept. The job's own variables and the
/// service's are the same. Pure.
Environment ContainerEnvironment(const GangContext& context,
                                 std::size_t position);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_CONTAINER_ENVIRONMENT_H_
