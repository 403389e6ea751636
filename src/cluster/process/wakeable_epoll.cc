#include "cluster/process/wakeable_epoll.h"

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace vernier {

absl::Status WakeableEpoll::Open() {
  epoll_.Reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.is_open() || !wake_.is_open()) {
    return absl::ErrnoToStatus(errno, "cannot make an epoll");
  }
  Watch(wake_.fd());
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
    if (fd == wake_.fd()) {
      wake_.Clear();
    } else {
      readable.push_back(fd);
    }
  }
  return readable;
}

}  // namespace vernier
