#ifndef VERNIER_EDGE_GRPC_GRPC_LISTENER_H_
#define VERNIER_EDGE_GRPC_GRPC_LISTENER_H_

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "edge/endpoint.h"
#include "edge/grpc/accept_loop.h"
#include "http/http_server.h"

namespace vernier {

/// A gRPC server with connections from an accept loop of our own, and the
/// standard health service (grpc.health.v1) beside the services it was given.
/// Thread-safe.
class GrpcListener {
 public:
  struct Options {
    TlsFiles tls;  ///< For TCP.
    /// Is told, by another thread, of connections that were cut off because
    /// they asked too much.
    std::function<void(const absl::Status&)> on_offence = nullptr;
  };

  /// Listens at `endpoints`, which get the ports that were chosen. A
  /// socket file that nobody answers at is replaced: the caller holds the
  /// store's lock, so its owner is dead. The socket is this user's alone.
  ///
  /// Errors: ALREADY_EXISTS if somebody listens there; UNAVAILABLE if it
  /// cannot be listened at. The services must outlive the listener.
  /// INVALID_ARGUMENT for files of TLS that cannot be read.
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints,
      const std::vector<grpc::Service*>& services, Options options);
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints,
      const std::vector<grpc::Service*>& services) {
    return Listen(endpoints, services, Options{});
  }

  /// Says NOT_SERVING from now on.
  void StopServing();

  /// Waits a few seconds for calls to finish, cuts the others off, and removes
  /// the socket file.
  void Shutdown();

 private:
  using Acceptor = grpc::experimental::ExternalConnectionAcceptor;

  GrpcListener() = default;

  // All are constant between Listen and Shutdown.
  std::vector<std::string> socket_paths_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<AcceptLoop> loop_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_GRPC_LISTENER_H_
