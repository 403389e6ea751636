#ifndef VERNIER_DAEMON_GRPC_ADDRESSES_H_
#define VERNIER_DAEMON_GRPC_ADDRESSES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/data_dir.h"
#include "edge/endpoint.h"
#include "http/http_server_options.h"

namespace vernier {

/// Where a service answers gRPC.
struct GrpcAddresses {
  Endpoint endpoint;  ///< The one that clients are told of.
  /// In the data directory. Without a path if that is too long for a socket.
  Endpoint own_socket;

  /// All of them, each once; they point into this object.
  std::vector<Endpoint*> All();
};

/// The addresses of a service that was told to listen at `listen`, or in its
/// data directory if that is empty. Pure.
///
/// INVALID_ARGUMENT: `listen` is malformed; other machines could reach it, and
/// need no certificate; or a file of `tls` lacks the others.
absl::StatusOr<GrpcAddresses> FindGrpcAddresses(const std::string& listen,
                                                const TlsFiles& tls,
                                                const DataDir& data_dir);

}  // namespace vernier

#endif  // VERNIER_DAEMON_GRPC_ADDRESSES_H_
