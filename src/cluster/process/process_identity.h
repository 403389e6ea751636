#ifndef VERNIER_CLUSTER_PROCESS_PROCESS_IDENTITY_H_
#define VERNIER_CLUSTER_PROCESS_PROCESS_IDENTITY_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// Returns an id of this boot of this machine; it differs after each start of
/// the kernel.
absl::StatusOr<std::string> ReadBootId();

/// Returns when a process started, in clock ticks since boot. Together with the
/// pid and the boot id this identifies a process forever. NOT_FOUND if there is
/// none.
absl::StatusOr<std::uint64_t> ReadStartTicks(pid_t pid);

/// Returns a handle on a process, which stays valid even if the pid is reused.
/// NOT_FOUND if there is no such process.
absl::StatusOr<UniqueFd> OpenProcess(pid_t pid);

/// As OpenProcess, but NOT_FOUND unless the process started at `start_ticks`.
absl::StatusOr<UniqueFd> OpenProcess(pid_t pid, std::uint64_t start_ticks);

/// Sends a signal through a handle. OK if the process has ended.
absl::Status SignalProcess(const UniqueFd& process, int signal);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_PROCESS_IDENTITY_H_
