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

/// A gRPC server with connections from this service's own accept loop. It adds
/// the standard health service (grpc.health.v1) to the methods it is given.
/// Connections by the unix socket are served by a separate gRPC server with its
/// own memory, so that callers by TCP cannot delay its users. Thread-safe.
class GrpcListener {
 public:
  struct Options {
    TlsFiles tls;  ///< For TCP.
    /// Called by another thread for connections that were cut off because they
    /// exceeded a limit.
    std::function<void(const absl::Status&)> on_offence = nullptr;
  };

  /// Listens at `endpoints`, which get the ports that were chosen. A socket
  /// file at which no process answers is replaced: the caller holds the store's
  /// lock, so the file's owner is dead. Only this user may open the socket.
  ///
  /// Errors: ALREADY_EXISTS if a process listens there; UNAVAILABLE if
  /// listening fails; INVALID_ARGUMENT for TLS files that cannot be read. The
  /// objects that the methods refer to must outlive the listener.
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints, GrpcMethods methods,
      Options options);
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints, GrpcMethods methods) {
    return Listen(endpoints, std::move(methods), Options{});
  }

  /// Makes health checks answer NOT_SERVING from now on.
  void StopServing();

  /// Waits a few seconds for calls to finish, ends the others, and removes the
  /// socket file.
  void Shutdown();

  ~GrpcListener();

 private:
  class Server;

  GrpcListener();

  // These are constant between Listen and Shutdown.
  GrpcMethods methods_;
  HealthMethods health_;
  std::vector<std::string> socket_paths_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::unique_ptr<AcceptLoop> loop_;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_GRPC_LISTENER_H_
