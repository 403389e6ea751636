#ifndef VERNIER_EDGE_GRPC_CONNECTION_RELAY_H_
#define VERNIER_EDGE_GRPC_CONNECTION_RELAY_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "edge/grpc/http2_guard.h"

namespace vernier {

/// Both ends of a TCP connection within this process.
struct TcpPair {
  UniqueFd near;
  UniqueFd far;
};

/// Connects two non-blocking sockets over the loopback interface. A pair of
/// unix sockets cannot be used: gRPC would report a caller by a unix socket,
/// which is trusted. Errors: UNAVAILABLE.
absl::StatusOr<TcpPair> MakeTcpPair();

/// Carries bytes between a client and gRPC, past a guard. If one side does not
/// take them, at most one piece is kept, and the other side waits. Not
/// thread-safe: the accept loop owns it.
class ConnectionRelay {
 public:
  enum class State {
    kWaits,    ///< For an event of either socket.
    kHasMore,  ///< Its turn is over, but it can continue at once.
    kOver,
  };

  /// Both sockets are non-blocking.
  ConnectionRelay(UniqueFd client, UniqueFd server)
      : client_(std::move(client)), server_(std::move(server)) {}

  /// Carries as much as is possible without waiting.
  State Run();

  /// Returns whether no call is open, or the client does not take what it is
  /// sent.
  bool is_idle() const {
    return !guard_.has_open_calls() || !to_client_.backlog.empty();
  }
  /// Returns why the guard ended the connection; OK if it did not.
  const absl::Status& offence() const { return offence_; }
  int client_fd() const { return client_.get(); }
  int server_fd() const { return server_.get(); }

 private:
  struct Direction {
    std::string backlog;  // Read and not yet written.
    bool is_ended = false;
  };
  using Inspect = absl::Status (Http2Guard::*)(std::string_view);

  State Carry(int from, int to, Inspect inspect, Direction* direction);

  const UniqueFd client_;
  const UniqueFd server_;
  Http2Guard guard_;
  Direction to_server_;
  Direction to_client_;
  absl::Status offence_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_CONNECTION_RELAY_H_
