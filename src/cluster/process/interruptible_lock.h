#ifndef VERNIER_CLUSTER_PROCESS_INTERRUPTIBLE_LOCK_H_
#define VERNIER_CLUSTER_PROCESS_INTERRUPTIBLE_LOCK_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace vernier {

/// Takes the lock of the file `path`, which is made if missing; waits while
/// another process holds it. It is held until the descriptor is closed; the
/// kernel releases that of a process that dies. This process must have blocked
/// SIGTERM and SIGINT.
///
/// CANCELLED after SIGTERM or SIGINT; otherwise an errno's code.
absl::StatusOr<UniqueFd> LockInterruptibly(const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_INTERRUPTIBLE_LOCK_H_
