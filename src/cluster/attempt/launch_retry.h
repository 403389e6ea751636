#ifndef VERNIER_CLUSTER_ATTEMPT_LAUNCH_RETRY_H_
#define VERNIER_CLUSTER_ATTEMPT_LAUNCH_RETRY_H_

#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Returns `status` with the code by which Launcher::Launch asks to be called
/// again later: UNAVAILABLE, unless it is OK or RESOURCE_EXHAUSTED.
inline absl::Status TryAgain(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return absl::UnavailableError(std::string(status.message()));
}

}  // namespace vernier

#endif  // VERNIER_CLUSTER_ATTEMPT_LAUNCH_RETRY_H_
