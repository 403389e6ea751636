#ifndef VERNIER_CLUSTER_PROCESS_WAKEABLE_EPOLL_H_
#define VERNIER_CLUSTER_PROCESS_WAKEABLE_EPOLL_H_

#include <vector>

#include "absl/status/status.h"
#include "base/unique_fd.h"
#include "base/wake_event.h"

namespace vernier {

/// A set of descriptors to wait for, and a way to end the wait. Not thread-safe
/// except for Wake.
class WakeableEpoll {
 public:
  /// Must be called first. Errors: an errno's code.
  absl::Status Open();

  /// Wait returns `fd` whenever it is readable, until it is closed.
  void Watch(int fd);

  /// Wait returns whenever `fd` becomes readable again (edge-triggered); its
  /// owner reads it. Errors: an errno's code.
  absl::Status WatchEdge(int fd);

  /// Returns the descriptors that are readable, at most 64 at a time. Waits for
  /// one, for Wake or for `timeout_ms` (0: does not wait).
  std::vector<int> Wait(int timeout_ms);

  /// Ends the current wait, or else the next one. Thread-safe.
  void Wake() { wake_.Set(); }

 private:
  UniqueFd epoll_;
  const WakeEvent wake_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_WAKEABLE_EPOLL_H_
