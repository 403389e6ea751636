#ifndef VERNIER_EDGE_ENDPOINT_H_
#define VERNIER_EDGE_ENDPOINT_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// The address where a service listens: a unix socket or a TCP port.
struct Endpoint {
  std::string socket_path;  ///< Of a unix socket; empty for TCP.
  std::string host;         ///< TCP only, without brackets.
  int port = 0;             ///< TCP only; 0 lets the kernel choose.

  /// Returns the form that gRPC and ParseEndpoint read: "unix:PATH" or
  /// "HOST:PORT".
  std::string ToString() const;
};

/// Parses "unix:PATH" or "HOST:PORT". A relative path is taken from the working
/// directory.
///
/// Errors: INVALID_ARGUMENT, also for a socket path of more than 107 bytes, the
/// kernel's limit.
absl::StatusOr<Endpoint> ParseEndpoint(std::string_view text);

/// Returns OK only for an address that other machines cannot reach; otherwise
/// INVALID_ARGUMENT. Without TLS no other address is safe, since calls and
/// tokens would cross the network unencrypted.
absl::Status CheckLoopback(const Endpoint& endpoint);

/// Returns OK if a process accepts connections at this unix socket.
///
/// Errors: PERMISSION_DENIED if this user may not connect, as to another user's
/// service, which may well be running; NOT_FOUND if no process listens.
absl::Status ReachSocket(const std::string& socket_path);

/// Returns ReachSocket's answer to connect(2) with `error`, an errno, at a
/// socket of `owner`; nullopt if even the owner cannot be read. Pure.
absl::Status ReachStatus(const std::string& socket_path, int error,
                         std::optional<unsigned> owner);

/// Returns whether ReachSocket is OK.
bool SomebodyListens(const std::string& socket_path);

}  // namespace vernier

#endif  // VERNIER_EDGE_ENDPOINT_H_
