#include "edge/grpc/connection_relay.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// Limits one turn, so that a busy connection does not keep the others waiting.
constexpr int kPiecesPerTurn = 16;
constexpr std::size_t kPieceSize = 64 << 10;

absl::Status SocketError(const char* what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(errno)));
}

bool IsSame(const sockaddr_in& a, const sockaddr_in& b) {
  return a.sin_port == b.sin_port && a.sin_addr.s_addr == b.sin_addr.s_addr;
}

// Writes as much as the socket takes; returns false on an error.
bool Write(int fd, std::string_view* bytes) {
  while (!bytes->empty()) {
    // A closed connection must give an error, not SIGPIPE.
    const ssize_t sent = send(fd, bytes->data(), bytes->size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN;
    bytes->remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

absl::StatusOr<TcpPair> MakeTcpPair() {
  constexpr int kKind = SOCK_STREAM | SOCK_CLOEXEC;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const UniqueFd listener(socket(AF_INET, kKind, 0));
  TcpPair pair;
  pair.near.Reset(socket(AF_INET, kKind, 0));
  if (!pair.near.is_open() || bind(listener.get(), any, size) != 0 ||
      listen(listener.get(), 8) != 0 ||
      getsockname(listener.get(), any, &size) != 0) {
    return SocketError("relay");
  }
  // Connecting takes microseconds, unless the port is flooded.
  const timeval limit{1, 0};
  setsockopt(pair.near.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  setsockopt(listener.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  sockaddr_in own{};
  if (connect(pair.near.get(), any, size) != 0 ||
      getsockname(pair.near.get(), reinterpret_cast<sockaddr*>(&own), &size) !=
          0) {
    return SocketError("relay");
  }
  do {
    // Other processes may have connected to the port; they are closed.
    pair.far.Reset(accept4(listener.get(), any, &size, SOCK_CLOEXEC));
    if (!pair.far.is_open()) return SocketError("relay");
  } while (!IsSame(address, own));
  const int on = 1;
  // The limit was for connecting; an accepted end inherits it.
  const timeval none{0, 0};
  for (const int fd : {pair.near.get(), pair.far.get()}) {
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof(none));
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof(none));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  return pair;
}

ConnectionRelay::State ConnectionRelay::Run() {
  const State forth =
      Carry(client_.get(), server_.get(), &Http2Guard::FromClient, &to_server_);
  if (forth == State::kOver) return forth;
  const State back =
      Carry(server_.get(), client_.get(), &Http2Guard::FromServer, &to_client_);
  // Once gRPC is done with the connection, nobody reads from the client.
  if (back == State::kOver || to_client_.is_ended) return State::kOver;
  return forth == State::kHasMore ? forth : back;
}

ConnectionRelay::State ConnectionRelay::Carry(int from, int to, Inspect inspect,
                                              Direction* direction) {
  // All relays share one buffer: unsent bytes are copied to the backlog.
  static thread_local std::array<char, kPieceSize> piece;
  if (direction->is_ended) return State::kWaits;
  std::string_view left = direction->backlog;
  if (!Write(to, &left)) return State::kOver;
  direction->backlog.erase(0, direction->backlog.size() - left.size());
  for (int i = 0; i < kPiecesPerTurn; ++i) {
    if (!direction->backlog.empty()) return State::kWaits;
    const ssize_t got = recv(from, piece.data(), piece.size(), 0);
    if (got < 0) return errno == EAGAIN ? State::kWaits : State::kOver;
    if (got == 0) {
      direction->is_ended = true;
      // Only this direction has ended; the other one may still carry an answer.
      shutdown(to, SHUT_WR);
      return State::kWaits;
    }
    left = {piece.data(), static_cast<std::size_t>(got)};
    offence_ = (guard_.*inspect)(left);
    if (!offence_.ok() || !Write(to, &left)) return State::kOver;
    direction->backlog = left;
  }
  return State::kHasMore;
}

}  // namespace vernier
