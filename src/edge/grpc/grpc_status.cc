#include "edge/grpc/grpc_status.h"

#include <cctype>
#include <cstddef>
#include <string>

namespace vernier {
namespace {

// gRPC percent-encodes messages, and clients refuse more than 8 KiB of metadata
// unless both ends were configured otherwise, as only Vernier's own clients
// are.
constexpr std::size_t kMaxEncoded = 6000;

std::size_t EncodedSize(char c) { return c >= ' ' && c <= '~' ? 1 : 3; }

std::string Shorten(const std::string& message) {
  std::size_t encoded = 0;
  std::size_t end = 0;
  while (end < message.size() && encoded < kMaxEncoded) {
    encoded += EncodedSize(message[end++]);
  }
  if (end == message.size()) return message;
  const std::size_t line = message.rfind('\n', end);
  if (line != std::string::npos && line > 0) end = line;
  return message.substr(0, end) + "\n... and more";
}

}  // namespace

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      Shorten(std::string(status.message())));
}

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      status.error_message());
}

}  // namespace vernier
