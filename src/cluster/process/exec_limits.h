#ifndef VERNIER_CLUSTER_PROCESS_EXEC_LIMITS_H_
#define VERNIER_CLUSTER_PROCESS_EXEC_LIMITS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cluster/trial_environment.h"

namespace vernier {

/// OK if this system starts a program with such arguments and variables:
/// otherwise execve would say no more than "Argument list too long".
/// INVALID_ARGUMENT names the argument or variable that is too long, or says
/// that all together are, with the limit.
absl::Status CheckExecLimits(const std::vector<std::string>& argv,
                             const Environment& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_EXEC_LIMITS_H_
