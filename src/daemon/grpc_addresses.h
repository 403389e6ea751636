#ifndef VERNIER_DAEMON_GRPC_ADDRESSES_H_
#define VERNIER_DAEMON_GRPC_ADDRESSES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/data_dir.h"
#include "edge/endpoint.h"
#include "http/http_server_options.h"

namespace vernier {

/// The addresses at which a service answers gRPC.
struct GrpcAddresses {
  Endpoint endpoint;  ///< The one that is shown to clients.
  /// The socket in the data directory; without a path if that is too long for a
  /// socket.
  Endpoint own_socket;

  /// Returns all addresses without duplicates; they point into this object.
  std::vector<Endpoint*> All();
};

/// Returns the addresses of a service that was told to listen at `listen`, or
/// in its data directory if that is empty. Pure.
///
/// INVALID_ARGUMENT if `listen` is malformed, if other machines could reach it
/// without a certificate, or if a file of `tls` lacks the others.
absl::StatusOr<GrpcAddresses> FindGrpcAddresses(const std::string& listen,
                                                const TlsFiles& tls,
                                                const DataDir& data_dir);

/// Says from which machines Katib's controller may call.
enum class KatibCallers { kThisMachine, kAnywhere };

/// Returns the address where Katib's controller is served. Pure.
///
/// INVALID_ARGUMENT if `listen` is not HOST:PORT, or if other machines could
/// reach it although `callers` are of this one.
absl::StatusOr<Endpoint> FindKatibAddress(const std::string& listen,
                                          KatibCallers callers);

}  // namespace vernier

#endif  // VERNIER_DAEMON_GRPC_ADDRESSES_H_
