#include "edge/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

constexpr int kKind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

absl::Status CannotListen(const Endpoint& endpoint, const std::string& why) {
  return absl::UnavailableError(absl::StrCat(
      "cannot listen at ", endpoint.ToString(),
      endpoint.socket_path.empty() ? ": is the port in use? ("
                                   : ": is its folder there and writable? (",
      why, ")"));
}

absl::StatusOr<UniqueFd> ListenAtPath(const Endpoint& endpoint) {
  if (SomebodyListens(endpoint.socket_path)) {
    return absl::AlreadyExistsError(
        absl::StrCat("another service listens at ", endpoint.ToString(),
                     "; give this one another --listen"));
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // ParseEndpoint refuses longer paths.
  endpoint.socket_path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  struct stat old {};
  // No process listens at an old socket file, but bind would fail. Any other
  // kind of file belongs to somebody, and is left alone.
  if (lstat(address.sun_path, &old) == 0 && S_ISSOCK(old.st_mode)) {
    unlink(address.sun_path);
  }
  UniqueFd fd(socket(AF_UNIX, kKind, 0));
  // The umask keeps the socket closed to others even for an instant.
  const mode_t old_mask = umask(0177);
  const bool is_bound = bind(fd.get(), reinterpret_cast<sockaddr*>(&address),
                             sizeof(address)) == 0;
  const int error = errno;
  umask(old_mask);
  if (!is_bound) return CannotListen(endpoint, std::strerror(error));
  if (listen(fd.get(), SOMAXCONN) != 0) {
    return CannotListen(endpoint, std::strerror(errno));
  }
  return fd;
}

void SetPort(int port, addrinfo* address) {
  const in_port_t number = htons(static_cast<std::uint16_t>(port));
  if (address->ai_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6*>(address->ai_addr)->sin6_port = number;
  } else {
    reinterpret_cast<sockaddr_in*>(address->ai_addr)->sin_port = number;
  }
}

int PortOf(int fd) {
  sockaddr_in6 address{};
  socklen_t size = sizeof(address);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  // The port is at the same place in an IPv4 address.
  return ntohs(address.sin6_port);
}

// Returns a listening socket. If it is not open, errno has the reason.
UniqueFd ListenAtAddress(const addrinfo& address) {
  UniqueFd fd(socket(address.ai_family, kKind, 0));
  const int on = 1;
  // With SO_REUSEADDR a restarted service gets its port at once.
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      listen(fd.get(), SOMAXCONN) != 0) {
    const int error = errno;
    fd.Reset();
    errno = error;
  }
  return fd;
}

absl::StatusOr<std::vector<UniqueFd>> ListenAtHost(Endpoint* endpoint) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failure =
      getaddrinfo(endpoint->host.c_str(), nullptr, &hints, &found);
  if (failure != 0) return CannotListen(*endpoint, gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found,
                                                                 &freeaddrinfo);
  std::vector<UniqueFd> sockets;
  int error = 0;
  for (addrinfo* each = found; each != nullptr; each = each->ai_next) {
    SetPort(endpoint->port, each);
    UniqueFd fd = ListenAtAddress(*each);
    if (!fd.is_open()) {
      error = errno;
      // A name may have addresses that this machine does not have.
      if (error == EADDRNOTAVAIL || error == EAFNOSUPPORT) continue;
      return CannotListen(*endpoint, std::strerror(error));
    }
    endpoint->port = PortOf(fd.get());
    sockets.push_back(std::move(fd));
  }
  if (sockets.empty()) return CannotListen(*endpoint, std::strerror(error));
  return sockets;
}

}  // namespace

absl::StatusOr<std::vector<UniqueFd>> ListenAt(Endpoint* endpoint) {
  if (endpoint->socket_path.empty()) return ListenAtHost(endpoint);
  VERNIER_ASSIGN_OR_RETURN(UniqueFd fd, ListenAtPath(*endpoint));
  std::vector<UniqueFd> sockets;
  sockets.push_back(std::move(fd));
  return sockets;
}

}  // namespace vernier
