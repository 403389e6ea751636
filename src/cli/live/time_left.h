#ifndef VERNIER_CLI_LIVE_TIME_LEFT_H_
#define VERNIER_CLI_LIVE_TIME_LEFT_H_

#include <chrono>
#include <optional>

#include "base/json.h"

namespace vernier {

/// Returns the service's estimate of how long a job will still take, from the
/// section "vernier" of the job; unset if it has none.
std::optional<std::chrono::seconds> ReadTimeLeft(const Json& section);

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_TIME_LEFT_H_
