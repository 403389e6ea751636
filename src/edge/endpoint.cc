#include "edge/endpoint.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxSocketPath = sizeof(sockaddr_un::sun_path) - 1;

absl::StatusOr<Endpoint> UnixEndpoint(std::string_view path) {
  if (path.empty()) {
    return absl::InvalidArgumentError(
        "endpoint: a path must follow \"unix:\", e.g. unix:/run/v.sock");
  }
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("endpoint: ", std::string(path), ": ", error.message()));
  }
  Endpoint endpoint;
  endpoint.socket_path = absolute.lexically_normal().string();
  if (endpoint.socket_path.size() > kMaxSocketPath) {
    return absl::InvalidArgumentError(absl::StrCat(
        "socket path must be at most ", kMaxSocketPath, " bytes, but has ",
        endpoint.socket_path.size(), ": ", endpoint.socket_path,
        "; use a shorter --data-dir, or keep the data there and listen "
        "elsewhere: --listen unix:/tmp/v.sock, with the same --endpoint for "
        "clients"));
  }
  return endpoint;
}

}  // namespace

std::string Endpoint::ToString() const {
  if (!socket_path.empty()) return "unix:" + socket_path;
  const bool is_v6 = host.find(':') != std::string::npos;
  return absl::StrCat(is_v6 ? "[" : "", host, is_v6 ? "]" : "", ":", port);
}

absl::StatusOr<Endpoint> ParseEndpoint(std::string_view text) {
  if (text.substr(0, 5) == "unix:") return UnixEndpoint(text.substr(5));
  if (text.substr(0, 7) == "http://" || text.substr(0, 8) == "https://") {
    return absl::InvalidArgumentError(absl::StrCat(
        "endpoint must be unix:PATH or HOST:PORT of the gRPC interface: \"",
        std::string(text),
        "\" names an HTTP interface; leave the endpoint "
        "out to reach the service of your data directory"));
  }
  const std::size_t colon = text.rfind(':');
  const auto wrong = [text] {
    return absl::InvalidArgumentError(
        absl::StrCat("endpoint must be unix:PATH or HOST:PORT: \"",
                     std::string(text), "\""));
  };
  if (colon == std::string_view::npos || colon == 0) return wrong();
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return wrong();
  }
  Endpoint endpoint;
  endpoint.host = std::string(host);
  const auto result =
      std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  if (host.empty() || result.ec != std::errc() ||
      result.ptr != port.data() + port.size() || endpoint.port < 0 ||
      endpoint.port > 65535) {
    return wrong();
  }
  return endpoint;
}

absl::Status CheckLoopback(const Endpoint& endpoint) {
  if (!endpoint.socket_path.empty() || endpoint.host == "localhost") {
    return absl::OkStatus();
  }
  in_addr v4{};
  in6_addr v6{};
  if (inet_pton(AF_INET, endpoint.host.c_str(), &v4) == 1 &&
      (ntohl(v4.s_addr) >> 24) == 127) {
    return absl::OkStatus();
  }
  if (inet_pton(AF_INET6, endpoint.host.c_str(), &v6) == 1 &&
      IN6_IS_ADDR_LOOPBACK(&v6)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "listen: refused, because whoever can connect can run programs here: ",
      endpoint.ToString(),
      "; use unix:PATH, 127.0.0.1:PORT or [::1]:PORT, and from elsewhere an "
      "ssh tunnel"));
}

absl::Status ReachStatus(const std::string& socket_path, int error,
                         std::optional<unsigned> owner) {
  // EAGAIN means that the backlog is full, so a process listens.
  if (error == 0 || error == EAGAIN) return absl::OkStatus();
  if (error != EACCES && error != EPERM) {
    return absl::NotFoundError(absl::StrCat("nobody listens at ", socket_path));
  }
  return absl::PermissionDeniedError(absl::StrCat(
      "cannot connect to ", socket_path, ": permission denied",
      owner.has_value() ? absl::StrCat(", because it belongs to user ", *owner)
                        : "; its folder is closed to this user",
      "; a service answers its own user alone: use your own data directory, or "
      "let that user make you a token (vernier tokens create) and open HTTP or "
      "a port to you"));
}

absl::Status ReachSocket(const std::string& socket_path) {
  sockaddr_un address{};
  if (socket_path.size() > kMaxSocketPath) {
    return ReachStatus(socket_path, ENAMETOOLONG, std::nullopt);
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return ReachStatus(socket_path, errno, std::nullopt);
  const int error =
      connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0
          ? 0
          : errno;
  close(fd);
  struct stat status {};
  const bool is_there = stat(socket_path.c_str(), &status) == 0;
  return ReachStatus(
      socket_path, error,
      is_there ? std::optional<unsigned>(status.st_uid) : std::nullopt);
}

bool SomebodyListens(const std::string& socket_path) {
  return ReachSocket(socket_path).ok();
}

}  // namespace vernier
