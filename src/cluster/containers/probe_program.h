#ifndef VERNIER_CLUSTER_CONTAINERS_PROBE_PROGRAM_H_
#define VERNIER_CLUSTER_CONTAINERS_PROBE_PROGRAM_H_

#include <string>

namespace vernier {

/// A complete executable file that needs no library and exits with 0 at once:
/// what a container runs that only shows that containers run. It is made here
/// because a machine without any image has nothing else to run. Empty on
/// processors that it is not made for.
std::string ProbeProgram();

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CONTAINERS_PROBE_PROGRAM_H_
