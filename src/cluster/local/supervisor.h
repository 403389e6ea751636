#ifndef VERNIER_CLUSTER_LOCAL_SUPERVISOR_H_
#define VERNIER_CLUSTER_LOCAL_SUPERVISOR_H_

#include <string>

namespace vernier {

/// Exit codes of RunSupervisor.
inline constexpr int kSupervisorDone = 0;       ///< The exit record is written.
inline constexpr int kSupervisorNoLaunch = 2;   ///< No readable launch file.
inline constexpr int kSupervisorRefused = 3;    ///< Claimed before, or revoked.
inline constexpr int kSupervisorNoRecord = 74;  ///< A file cannot be written.

/// The environment variable with the number of a descriptor, to which a byte is
/// written once all replicas run. Optional.
inline constexpr char kStatusFdVariable[] = "VERNIER_STATUS_FD";

/// Runs the command `vernier supervise ATTEMPT_DIR`: claims the attempt, starts
/// its gang, waits for its end, leaves no process behind, and records how it
/// ended. docs/launching.md describes the protocol. Call it early, from a
/// process with one thread; it takes over the signals and descriptors. SIGTERM
/// asks for the gang's end. Returns the exit code of the process.
int RunSupervisor(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_SUPERVISOR_H_
