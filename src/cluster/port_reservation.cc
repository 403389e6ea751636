#include "cluster/port_reservation.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cluster/small_file.h"
#include "study/status_macros.h"

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

// All users of the machine share the directory; the sticky bit keeps them from
// removing each other's files.
absl::Status MakeSharedDirectory(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) {
    ::chmod(path.c_str(), 01777);  // mkdir heeds the umask.
    return absl::OkStatus();
  }
  struct stat info;
  if (errno != EEXIST || ::lstat(path.c_str(), &info) != 0 ||
      !S_ISDIR(info.st_mode)) {
    return absl::ErrnoToStatus(
        errno, "cannot use " + path + " for reserving ports");
  }
  return absl::OkStatus();
}

// Opens a lock file. Locking needs no right to write, so the file of another
// user will do; and O_CREAT on that one could be refused in a sticky
// directory.
UniqueFd OpenLockFile(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.is_open() || errno != ENOENT) return fd;
  return UniqueFd(::open(path.c_str(),
                         O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
}

// Whether a server could listen there now, on every interface, as TensorFlow
// and PyTorch do.
bool IsFree(int port) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return false;
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address),
                sizeof(address)) == 0;
}

UniqueFd TryPort(const std::string& directory, int port) {
  UniqueFd lock = OpenLockFile(directory + "/" + std::to_string(port));
  if (!lock.is_open() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 ||
      !IsFree(port)) {
    return UniqueFd();
  }
  return lock;
}

}  // namespace

PortRange DefaultPortRange() {
  PortRange range;
  const char* directory = std::getenv("VERNIER_PORT_DIR");
  range.directory = directory != nullptr && *directory != '\0'
                        ? directory
                        : "/tmp/vernier-ports";
  const int ephemeral = LowestEphemeralPort();
  if (ephemeral > kLowestPort + 2 * (range.last - range.first + 1)) {
    range.last = std::min(range.last, ephemeral - 1);
    range.first = std::min(range.first, range.last / 2);
  }
  return range;
}

absl::StatusOr<PortReservation> PortReservation::Reserve(
    const PortRange& range, std::size_t replicas, std::uint64_t seed) {
  VERNIER_RETURN_IF_ERROR(MakeSharedDirectory(range.directory));
  const int size = range.last - range.first + 1;
  const int begin =
      static_cast<int>(seed % static_cast<std::uint64_t>(std::max(size, 1)));
  PortReservation reservation;
  for (int i = 0; i < size && reservation.ports_.size() < replicas; ++i) {
    const int port = range.first + (begin + i) % size;
    UniqueFd lock = TryPort(range.directory, port);
    if (!lock.is_open()) continue;
    if (reservation.ports_.empty()) {
      // The first one comes with its neighbour or not at all.
      if (port == range.last) continue;
      UniqueFd neighbour = TryPort(range.directory, port + 1);
      if (!neighbour.is_open()) continue;
      reservation.locks_.push_back(std::move(neighbour));
    }
    reservation.ports_.push_back(port);
    reservation.locks_.push_back(std::move(lock));
  }
  if (reservation.ports_.size() < replicas) {
    return absl::ResourceExhaustedError(
        "no free ports: " + std::to_string(replicas + 1) + " are needed of " +
        std::to_string(range.first) + "-" + std::to_string(range.last));
  }
  return reservation;
}

}  // namespace vernier
