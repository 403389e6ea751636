#ifndef VERNIER_CLUSTER_LOCAL_KILL_REQUEST_H_
#define VERNIER_CLUSTER_LOCAL_KILL_REQUEST_H_

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// Leaves the file `kill` in an attempt's directory: the gang is to end, with
/// this much time between SIGTERM and SIGKILL. The first request counts. A
/// supervisor looks for it before it starts anything and at each SIGTERM.
absl::Status WriteKillRequest(const std::string& attempt_dir,
                              std::chrono::milliseconds grace);

/// The grace asked for; nullopt if no end was asked for. Any error says that
/// this cannot be told now.
absl::StatusOr<std::optional<std::chrono::milliseconds>> ReadKillRequest(
    const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_KILL_REQUEST_H_
