#ifndef VERNIER_CLUSTER_PROCESS_WAKEABLE_EPOLL_H_
#define VERNIER_CLUSTER_PROCESS_WAKEABLE_EPOLL_H_

#include <vector>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace vernier {

/// A set of descriptors to wait for, and a way to end the wait.
/// Not thread-safe but for Wake.
class WakeableEpoll {
 public:
  /// Comes first. Errors: an errno's code.
  absl::Status Open();

  /// Wait tells of `fd` as long as it is readable, and until it is closed.
  void Watch(int fd);

  /// Wait ends whenever `fd` becomes readable anew; its owner reads it. Errors:
  /// an errno's code.
  absl::Status WatchEdge(int fd);

  /// Descriptors that are readable, at most 64 at a time. Waits for one, for
  /// Wake or for `timeout_ms` (0: not at all).
  std::vector<int> Wait(int timeout_ms);

  /// Ends the wait that is or comes next. From any thread.
  void Wake();

 private:
  UniqueFd epoll_;
  UniqueFd wake_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_PROCESS_WAKEABLE_EPOLL_H_
