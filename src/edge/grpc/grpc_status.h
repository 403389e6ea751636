#ifndef VERNIER_EDGE_GRPC_GRPC_STATUS_H_
#define VERNIER_EDGE_GRPC_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace vernier {

/// Returns the same code and message. A message that does not fit into the
/// trailing metadata of a call is cut after a whole line, and says so.
grpc::Status ToGrpc(const absl::Status& status);

/// Returns the same code and message.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_GRPC_STATUS_H_
