#include "cluster/slurm/node/node_probe.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "base/version.h"
#include "cluster/slurm/probe_report.h"

namespace vernier {
namespace {

constexpr std::chrono::milliseconds kUrlLimit{10000};

struct UrlParts {
  bool is_secure = false;
  std::string host;
  std::string port;
};

UrlParts Split(std::string_view url) {
  UrlParts parts;
  constexpr std::string_view kSecure = "https://";
  constexpr std::string_view kPlain = "http://";
  parts.is_secure = url.starts_with(kSecure);
  url.remove_prefix(parts.is_secure           ? kSecure.size()
                    : url.starts_with(kPlain) ? kPlain.size()
                                              : 0);
  std::string_view place = url.substr(0, url.find('/'));
  const std::size_t bracket = place.rfind(']');
  const std::size_t colon = place.rfind(':');
  const bool has_port = colon != std::string_view::npos &&
                        (bracket == std::string_view::npos || colon > bracket);
  parts.port = has_port ? std::string(place.substr(colon + 1))
                        : (parts.is_secure ? "443" : "80");
  if (has_port) place = place.substr(0, colon);
  if (place.starts_with('[') && place.ends_with(']')) {
    place = place.substr(1, place.size() - 2);
  }
  parts.host = std::string(place);
  return parts;
}

absl::Status AwaitEvent(int fd, short events, std::chrono::milliseconds limit) {
  pollfd waits{fd, events, 0};
  const int ready = ::poll(&waits, 1, static_cast<int>(limit.count()));
  if (ready < 0) return absl::ErrnoToStatus(errno, "poll");
  if (ready == 0) return absl::DeadlineExceededError("no answer in time");
  return absl::OkStatus();
}

absl::StatusOr<UniqueFd> Connect(const addrinfo& address,
                                 std::chrono::milliseconds limit) {
  UniqueFd fd(::socket(address.ai_family,
                       SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open()) return absl::ErrnoToStatus(errno, "socket");
  if (::connect(fd.get(), address.ai_addr, address.ai_addrlen) != 0 &&
      errno != EINPROGRESS) {
    return absl::ErrnoToStatus(errno, "cannot connect");
  }
  VERNIER_RETURN_IF_ERROR(AwaitEvent(fd.get(), POLLOUT, limit));
  int error = 0;
  socklen_t size = sizeof(error);
  ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return absl::ErrnoToStatus(error, "cannot connect");
  return fd;
}

absl::Status AskOverHttp(int fd, const UrlParts& url,
                         std::chrono::milliseconds limit) {
  const std::string request =
      absl::StrCat("HEAD / HTTP/1.1\r\nHost: ", url.host, ":", url.port,
                   "\r\nConnection: close\r\n\r\n");
  if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    return absl::ErrnoToStatus(errno, "cannot send");
  }
  VERNIER_RETURN_IF_ERROR(AwaitEvent(fd, POLLIN, limit));
  char answer[5] = {};
  const ssize_t n = ::recv(fd, answer, sizeof(answer), 0);
  if (n < 0) return absl::ErrnoToStatus(errno, "cannot receive");
  if (std::string_view(answer, static_cast<std::size_t>(n)) != "HTTP/") {
    return absl::UnavailableError("no HTTP server answers there");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReachUrl(const std::string& url, std::chrono::milliseconds limit) {
  const UrlParts parts = Split(url);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error =
      ::getaddrinfo(parts.host.c_str(), parts.port.c_str(), &hints, &list);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat(parts.host, ": ", ::gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(
      list, &::freeaddrinfo);
  absl::Status status = absl::UnavailableError("it has no address");
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    const absl::StatusOr<UniqueFd> fd = Connect(*each, limit);
    status = fd.status();
    if (status.ok() && !parts.is_secure) {
      status = AskOverHttp(fd->get(), parts, limit);
    }
    if (status.ok()) return status;
  }
  return status;
}

int RunNodeProbe(const std::string& folder, const std::string& url) {
  NodeReport report;
  report.node = EnvironmentVariable("SLURMD_NODENAME");
  report.version = kVersion;
  if (!url.empty()) {
    report.url_error = std::string(ReachUrl(url, kUrlLimit).message());
  }
  const absl::Status written = WriteNodeReport(folder, report);
  if (written.ok()) return 0;
  std::fprintf(stderr, "vernier slurm-probe: %s\n",
               std::string(written.message()).c_str());
  return 1;
}

}  // namespace vernier
