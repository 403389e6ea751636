#include "cluster/process/wakeable_epoll.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace vernier {

absl::Status WakeableEpoll::Open() {
  epoll_.Reset(::epoll_create1(EPOLL_CLOEXEC));
  wake_.Reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll_.is_open() || !wake_.is_open()) {
    return absl::ErrnoToStatus(errno, "cannot make an epoll");
  }
  Watch(wake_.get());
  return absl::OkStatus();
}

void WakeableEpoll::Watch(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

absl::Status WakeableEpoll::WatchEdge(int fd) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.fd = fd;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return absl::ErrnoToStatus(errno, "cannot watch a descriptor");
  }
  return absl::OkStatus();
}

std::vector<int> WakeableEpoll::Wait(int timeout_ms) {
  std::array<epoll_event, 64> events;
  const int count = ::epoll_wait(epoll_.get(), events.data(),
                                 static_cast<int>(events.size()), timeout_ms);
  std::vector<int> readable;
  for (int i = 0; i < count; ++i) {
    const int fd = events[static_cast<std::size_t>(i)].data.fd;
    if (fd != wake_.get()) {
      readable.push_back(fd);
      continue;
    }
    std::uint64_t wakes = 0;
    if (::read(fd, &wakes, sizeof(wakes)) < 0) {
      // Nothing to read: the event was for another descriptor.
    }
  }
  return readable;
}

void WakeableEpoll::Wake() {
  const std::uint64_t one = 1;
  if (::write(wake_.get(), &one, sizeof(one)) < 0) {
    // The counter is full, so the wait ends in any case.
  }
}

}  // namespace vernier
