#ifndef VERNIER_CLUSTER_LOCAL_SUPERVISOR_H_
#define VERNIER_CLUSTER_LOCAL_SUPERVISOR_H_

#include <string>

namespace vernier {

/// Exit codes of RunSupervisor.
inline constexpr int kSupervisorDone = 0;       ///< The exit record is written.
inline constexpr int kSupervisorNoLaunch = 2;   ///< No readable launch file.
inline constexpr int kSupervisorRefused = 3;    ///< Claimed before, or revoked.
inline constexpr int kSupervisorNoRecord = 74;  ///< A file cannot be written.

/// Name of the environment variable that holds the number of a descriptor; a
/// byte is written to it once all replicas run. Optional.
inline constexpr char kStatusFdVariable[] = "VERNIER_STATUS_FD";

/// The command `vernier supervise ATTEMPT_DIR`: claims the attempt, starts its
/// gang, waits for its end, leaves no process behind, and writes down how it
/// ended. docs/launching.md has the protocol. Must be called from a process
/// with one thread, early; takes over its signals and descriptors. SIGTERM
/// asks for the gang's end. Returns the exit code of the process.
int RunSupervisor(const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_SUPERVISOR_H_
