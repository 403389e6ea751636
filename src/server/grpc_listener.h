#ifndef VERNIER_SERVER_GRPC_LISTENER_H_
#define VERNIER_SERVER_GRPC_LISTENER_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "http/http_server.h"
#include "server/endpoint.h"

namespace vernier {

/// A gRPC server that listens, with the standard health service
/// (grpc.health.v1) beside the services it was given. Thread-safe.
class GrpcListener {
 public:
  /// Listens at `endpoints`, which get the ports that were chosen. A
  /// socket file that nobody answers at is replaced: the caller holds the
  /// store's lock, so its owner is dead. The socket is this user's alone.
  ///
  /// Errors: ALREADY_EXISTS if somebody listens there; UNAVAILABLE if it
  /// cannot be listened at. The services must outlive the listener.
  /// INVALID_ARGUMENT for files of TLS that cannot be read; it is for TCP only.
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Listen(
      const std::vector<Endpoint*>& endpoints,
      const std::vector<grpc::Service*>& services, const TlsFiles& tls = {});

  /// Says NOT_SERVING from now on.
  void StopServing();

  /// Waits a few seconds for calls to finish, cuts the others off, and removes
  /// the socket file.
  void Shutdown();

 private:
  explicit GrpcListener(std::unique_ptr<grpc::Server> server);
  const std::unique_ptr<grpc::Server> server_;
};

}  // namespace vernier

#endif  // VERNIER_SERVER_GRPC_LISTENER_H_
