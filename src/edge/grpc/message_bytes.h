#ifndef VERNIER_EDGE_GRPC_MESSAGE_BYTES_H_
#define VERNIER_EDGE_GRPC_MESSAGE_BYTES_H_

#include <google/protobuf/message.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// The limits on a message.
struct MessageLimits {
  std::size_t bytes = std::size_t{1} << 20;
  /// Fields at all levels, where each element of a list is one. Each takes some
  /// hundred bytes in a parsed message, but as few as two on the wire.
  int fields = 500'000;
};

/// Parses the bytes of a request into `message`.
///
/// Errors: RESOURCE_EXHAUSTED past a limit, before it is parsed;
/// INVALID_ARGUMENT if the bytes are not such a message.
absl::Status ParseMessage(const grpc::ByteBuffer& bytes,
                          const MessageLimits& limits,
                          google::protobuf::Message* message);

/// Errors: RESOURCE_EXHAUSTED if it is larger than clients accept.
absl::StatusOr<grpc::ByteBuffer> SerializeMessage(
    const google::protobuf::Message& message);

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_MESSAGE_BYTES_H_
