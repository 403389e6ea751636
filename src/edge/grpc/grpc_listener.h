#ifndef VERNIER_EDGE_GRPC_GRPC_LISTENER_H_
#define VERNIER_EDGE_GRPC_GRPC_LISTENER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "edge/endpoint.h"
#include "edge/grpc/accept_loop.h"
#include "edge/grpc/grpc_methods.h"
#include "edge/grpc/health_methods.h"
#include "http/http_server.h"

namespace vernier {

/// gRPC with connections from an accept loop of our own, and the standard
/// health service (grpc.health.v1) beside the methods it was given. What comes
/// by the unix socket has a server of its own, with memory of its own: those
/// who may use it are not made to wait by those who come by TCP. Thread-safe.
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
  /// cannot be listened at. What the methods refer to must outlive the
  /// listener. INVALID_ARGUMENT for files of TLS that cannot be read.
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints, GrpcMethods methods,
      Options options);
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints, GrpcMethods methods) {
    return Listen(endpoints, std::move(methods), Options{});
  }

  /// Says NOT_SERVING from now on.
  void StopServing();

  /// Waits a few seconds for calls to finish, cuts the others off, and removes
  /// the socket file.
  void Shutdown();

  ~GrpcListener();

 private:
  class Server;

  GrpcListener();

  // All are constant between Listen and Shutdown.
  GrpcMethods methods_;
  HealthMethods health_;
  std::vector<std::string> socket_paths_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::unique_ptr<AcceptLoop> loop_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_GRPC_LISTENER_H_
