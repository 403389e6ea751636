#ifndef VERNIER_EDGE_GRPC_HEADER_CHECK_H_
#define VERNIER_EDGE_GRPC_HEADER_CHECK_H_

#include <grpcpp/security/server_credentials.h>

#include <functional>
#include <memory>
#include <string_view>

#include "absl/status/status.h"

namespace vernier {

/// Whether whoever sends these headers may call at all. `path` is
/// "/vernier.v1.JobService/GetJob", `authorization` the header's value or
/// empty. Must not wait; any thread.
using HeaderCheck = std::function<absl::Status(std::string_view path,
                                               std::string_view authorization)>;

/// Credentials for TCP that have gRPC ask `check` once the headers of a call
/// have come, and answer with its error before it reads, keeps or parses a byte
/// of the message: a method's handler is asked only after all of that. A null
/// `check` lets everybody in.
std::shared_ptr<grpc::ServerCredentials> WithHeaderCheck(
    std::shared_ptr<grpc::ServerCredentials> credentials, HeaderCheck check);

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_HEADER_CHECK_H_
