#ifndef VERNIER_CLUSTER_PROCESS_EXEC_LIMITS_H_
#define VERNIER_CLUSTER_PROCESS_EXEC_LIMITS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// Returns OK if this system can start a program with such arguments and
/// variables. If it cannot, execve would only report "Argument list too long",
/// so this returns INVALID_ARGUMENT with the name of the argument or variable
/// that is too long, or the limit that they exceed together.
absl::Status CheckExecLimits(const std::vector<std::string>& argv,
                             const Environment& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_EXEC_LIMITS_H_
