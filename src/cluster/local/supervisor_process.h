#ifndef VERNIER_CLUSTER_LOCAL_SUPERVISOR_PROCESS_H_
#define VERNIER_CLUSTER_LOCAL_SUPERVISOR_PROCESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// A supervisor that was just spawned, a child of this process.
struct SupervisorProcess {
  UniqueFd process;  ///< pidfd; readable once it has ended.
  UniqueFd status;   ///< Readable once all replicas run, or it has ended.
};

/// Returns the environment of supervisors: the variables of this process that
/// training programs and the installer get, and the address to report to. All
/// others are left out, because they may be secret and programs can read their
/// supervisor's environment.
std::vector<std::string> SupervisorEnvironment();

/// Runs `binary supervise attempt_dir` in a session of its own. SIGTERM is
/// blocked so that none is lost during the start; stdin is /dev/null; messages
/// go to `supervisor.log` in the attempt's directory.
///
/// UNAVAILABLE or RESOURCE_EXHAUSTED if the process is refused.
absl::StatusOr<SupervisorProcess> SpawnSupervisor(
    const std::string& binary, const std::string& attempt_dir,
    const std::vector<std::string>& environment);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_SUPERVISOR_PROCESS_H_
