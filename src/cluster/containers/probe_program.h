#ifndef VERNIER_CLUSTER_CONTAINERS_PROBE_PROGRAM_H_
#define VERNIER_CLUSTER_CONTAINERS_PROBE_PROGRAM_H_

#include <string>

namespace vernier {

/// Returns a complete executable file that needs no library and exits with 0 at
/// once, for a container that only shows that containers run. It is generated
/// here because a machine without any image has nothing else to run. Empty on
/// unsupported processors.
std::string ProbeProgram();

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_PROBE_PROGRAM_H_
