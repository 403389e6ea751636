#ifndef VERNIER_CLUSTER_GANG_TRY_WITH_RETRIES_H_
#define VERNIER_CLUSTER_GANG_TRY_WITH_RETRIES_H_

#include <poll.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {
namespace retries {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename Value>
const absl::Status& StatusOf(const absl::StatusOr<Value>& answer) {
  return answer.status();
}

}  // namespace retries

/// Retries what may succeed later, and returns the last answer. Gives up after
/// a minute, but never while a disk is full or descriptors are used up. For an
/// attempt's own process, which counts as alive meanwhile.
template <typename Try>
auto TryWithRetries(const Try& attempt) {
  constexpr int kTries = 60;
  constexpr int kPauseMs = 1000;
  auto answer = attempt();
  for (int i = 1; !answer.ok(); ++i) {
    if (i >= kTries && !absl::IsResourceExhausted(retries::StatusOf(answer))) {
      break;
    }
    // No event reports that a disk has room or a descriptor is free again.
    ::poll(nullptr, 0, kPauseMs);
    answer = attempt();
  }
  return answer;
}

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_TRY_WITH_RETRIES_H_
