#include "daemon/grpc_addresses.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

absl::Status CheckTlsFiles(const TlsFiles& tls) {
  if (tls.certificate.empty() == tls.key.empty() &&
      (tls.client_ca.empty() || !tls.certificate.empty())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "--tls-cert and --tls-key belong together, and --tls-client-ca to them");
}

}  // namespace

std::vector<Endpoint*> GrpcAddresses::All() {
  // The owner of the data is an administrator, who makes the first token by the
  // socket.
  if (endpoint.socket_path.empty() && !own_socket.socket_path.empty()) {
    return {&endpoint, &own_socket};
  }
  return {&endpoint};
}

absl::StatusOr<GrpcAddresses> FindGrpcAddresses(const std::string& listen,
                                                const TlsFiles& tls,
                                                const DataDir& data_dir) {
  const std::string own_socket = "unix:" + data_dir.SocketPath();
  GrpcAddresses addresses;
  VERNIER_ASSIGN_OR_RETURN(addresses.endpoint,
                           ParseEndpoint(listen.empty() ? own_socket : listen));
  if (tls.client_ca.empty()) {
    VERNIER_RETURN_IF_ERROR(CheckLoopback(addresses.endpoint));
  }
  VERNIER_RETURN_IF_ERROR(CheckTlsFiles(tls));
  addresses.own_socket = ParseEndpoint(own_socket).value_or(Endpoint{});
  return addresses;
}

absl::StatusOr<Endpoint> FindKatibAddress(const std::string& listen,
                                          KatibCallers callers) {
  VERNIER_ASSIGN_OR_RETURN(Endpoint endpoint, ParseEndpoint(listen));
  if (!endpoint.socket_path.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--katib must be HOST:PORT: ", listen));
  }
  if (callers == KatibCallers::kThisMachine && !CheckLoopback(endpoint).ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--katib ", listen,
        " could be reached from other machines, without TLS and without "
        "tokens; if they may have points computed here, add "
        "--katib-from-anywhere"));
  }
  return endpoint;
}

}  // namespace vernier
