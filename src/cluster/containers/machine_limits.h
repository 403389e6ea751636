#ifndef VERNIER_CLUSTER_CONTAINERS_MACHINE_LIMITS_H_
#define VERNIER_CLUSTER_CONTAINERS_MACHINE_LIMITS_H_

#include <string_view>

#include "cluster/containers/container_spec.h"

namespace vernier {

/// Returns the memory and processors of an AI Platform or Compute Engine
/// machine type; no limits for a type whose size is not known here. Pure.
ContainerLimits LimitsOfMachine(std::string_view machine_type);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_MACHINE_LIMITS_H_
