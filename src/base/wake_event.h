#ifndef VERNIER_BASE_WAKE_EVENT_H_
#define VERNIER_BASE_WAKE_EVENT_H_

#include <poll.h>
#include <sys/eventfd.h>

#include <chrono>

#include "base/unique_fd.h"

namespace vernier {

/// Wakes a thread that waits for descriptors: an eventfd that is readable from
/// Set to Clear, whoever waits and however often it was set. Thread-safe.
class WakeEvent {
 public:
  WakeEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  /// False if the process had no descriptor left (errno); then nothing is ever
  /// set.
  bool is_open() const { return fd_.is_open(); }

  /// The descriptor, to be polled for input.
  int fd() const { return fd_.get(); }

  void Set() const {
    // This fails only if the counter is full, and then it is set already.
    ::eventfd_write(fd_.get(), 1);
  }

  void Clear() const {
    eventfd_t count = 0;
    ::eventfd_read(fd_.get(), &count);
  }

  /// Returns whether it is set, after at most `time`; a signal may end the wait
  /// earlier.
  bool WaitFor(std::chrono::milliseconds time) const {
    pollfd event{fd_.get(), POLLIN, 0};
    return ::poll(&event, 1, static_cast<int>(time.count())) > 0;
  }

  bool is_set() const { return WaitFor(std::chrono::milliseconds(0)); }

 private:
  UniqueFd fd_;
};

}  // namespace vernier

#endif  // VERNIER_BASE_WAKE_EVENT_H_
