#include "cluster/process/port_reservation.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/private_folder.h"

namespace vernier {
namespace {

constexpr int kLowestPort = 1024;

int LowestEphemeralPort() {
  int first = 32768;
  const absl::StatusOr<std::string> text =
      ReadSmallFile("/proc/sys/net/ipv4/ip_local_port_range");
  if (text.ok()) std::sscanf(text->c_str(), "%d", &first);
  return first;
}

// Opens the lock file for reading and writing, as its locks require; it has no
// contents.
absl::StatusOr<UniqueFd> OpenLockFile(const std::string& path) {
  UniqueFd fd(::open(path.c_str(),
                     O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                     0600));
  if (fd.is_open()) return fd;
  return absl::ErrnoToStatus(errno,
                             "cannot use " + path + " for reserving ports");
}

bool SetLock(const UniqueFd& file, int port, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = port;
  lock.l_len = 1;
  // This is a lock of the open file description, because a process's own lock
  // would be lost when any other descriptor of the file is closed.
  return ::fcntl(file.get(), F_OFD_SETLK, &lock) == 0;
}

// Returns whether a server could listen on the port now, on every interface, as
// TensorFlow and PyTorch do.
bool IsFree(int port) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return false;
  const int on = 1;
  // Servers set this option, too. Without it, a port whose last connections are
  // in TIME_WAIT would count as used.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address),
                sizeof(address)) == 0;
}

// Locks a port if it is free. Succeeds if this object holds the lock already.
bool TakePort(const UniqueFd& file, int port) {
  if (!SetLock(file, port, F_WRLCK)) return false;
  if (IsFree(port)) return true;
  SetLock(file, port, F_UNLCK);
  return false;
}

}  // namespace

PortRange DefaultPortRange() {
  PortRange range;
  const char* file = std::getenv("VERNIER_PORT_FILE");
  range.lock_file = file != nullptr && *file != '\0'
                        ? file
                        : FindPrivateFolder(PrivateFolders()) + "/ports.lock";
  const int ephemeral = LowestEphemeralPort();
  if (ephemeral > kLowestPort + 2 * (range.last - range.first + 1)) {
    range.last = std::min(range.last, ephemeral - 1);
    range.first = std::min(range.first, range.last / 2);
  }
  return range;
}

absl::StatusOr<PortReservation> PortReservation::Reserve(const PortRange& range,
                                                         std::size_t replicas,
                                                         std::uint64_t seed) {
  PortReservation reservation;
  VERNIER_ASSIGN_OR_RETURN(reservation.lock_, OpenLockFile(range.lock_file));
  const UniqueFd& file = reservation.lock_;
  const int size = std::max(range.last - range.first + 1, 1);
  const int begin = static_cast<int>(seed % static_cast<std::uint64_t>(size));
  int neighbour = 0;  // The port above the first one: taken with it.
  for (int i = 0; i < size && reservation.ports_.size() < replicas; ++i) {
    const int port = range.first + (begin + i) % size;
    if (port == neighbour || !TakePort(file, port)) continue;
    if (reservation.ports_.empty()) {
      if (port == range.last || !TakePort(file, port + 1)) {
        SetLock(file, port, F_UNLCK);
        continue;
      }
      neighbour = port + 1;
    }
    reservation.ports_.push_back(port);
  }
  if (reservation.ports_.size() < replicas) {
    return absl::ResourceExhaustedError(
        "no free ports: " + std::to_string(replicas + 1) + " are needed of " +
        std::to_string(range.first) + "-" + std::to_string(range.last));
  }
  return reservation;
}

}  // namespace vernier
