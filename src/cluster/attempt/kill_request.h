#ifndef VERNIER_CLUSTER_ATTEMPT_KILL_REQUEST_H_
#define VERNIER_CLUSTER_ATTEMPT_KILL_REQUEST_H_

#include <chrono>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// Writes the file `kill` into an attempt's directory: a request to end the
/// gang, with this much time between SIGTERM and SIGKILL. Only the first
/// request counts. A supervisor reads it before it starts anything and at each
/// SIGTERM.
absl::Status WriteKillRequest(const std::string& attempt_dir,
                              std::chrono::milliseconds grace);

/// Returns the grace period of the request; nullopt if there is none. Any error
/// means that it could not be read now.
absl::StatusOr<std::optional<std::chrono::milliseconds>> ReadKillRequest(
    const std::string& attempt_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_KILL_REQUEST_H_
