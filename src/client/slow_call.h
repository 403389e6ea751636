#ifndef VERNIER_CLIENT_SLOW_CALL_H_
#define VERNIER_CLIENT_SLOW_CALL_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// Runs `call` in a thread of its own and returns its answer. Meanwhile calls
/// `on_wait` in this thread once a second.
absl::StatusOr<std::string> AwaitSlowCall(
    const std::function<absl::StatusOr<std::string>()>& call,
    const std::function<void()>& on_wait);

}  // namespace vernier

#endif  // VERNIER_CLIENT_SLOW_CALL_H_
