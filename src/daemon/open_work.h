#ifndef VERNIER_DAEMON_OPEN_WORK_H_
#define VERNIER_DAEMON_OPEN_WORK_H_

#include <chrono>

#include "store/store.h"

namespace vernier {

/// Returns whether some job is not final, so that the service must not end for
/// idleness. Pure.
bool HasOpenJobs(const StoreSnapshot& snapshot);

/// Returns whether programs of some trial run. Pure.
bool HasLiveAttempts(const StoreSnapshot& snapshot);

/// Returns how long the running trials may take to end after SIGTERM: the
/// longest grace period of their jobs, and some more for the processes. Pure.
std::chrono::seconds LongestGrace(const StoreSnapshot& snapshot);

}  // namespace vernier

#endif  // VERNIER_DAEMON_OPEN_WORK_H_
