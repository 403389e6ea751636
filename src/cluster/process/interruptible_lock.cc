#include "cluster/process/interruptible_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace vernier {

absl::StatusOr<UniqueFd> LockInterruptibly(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.is_open()) return absl::ErrnoToStatus(errno, path);
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
  // Signals are blocked, so a waiting flock could not be interrupted; this
  // polls for the lock and for SIGTERM by turns.
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return absl::ErrnoToStatus(errno, path);
    constexpr timespec kAgain{0, 100'000'000};
    if (::sigtimedwait(&signals, nullptr, &kAgain) > 0) {
      return absl::CancelledError("stopped on request");
    }
  }
  return fd;
}

}  // namespace vernier
