#ifndef VERNIER_EDGE_GRPC_HTTP2_FRAME_SCANNER_H_
#define VERNIER_EDGE_GRPC_HTTP2_FRAME_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vernier {

/// The nine bytes with which each frame begins (RFC 9113, section 4.1).
struct Http2FrameHeader {
  enum Type : std::uint8_t {
    kData = 0,
    kHeaders = 1,
    kResetStream = 3,
    kContinuation = 9
  };
  enum Flag : std::uint8_t { kEndStream = 1, kEndHeaders = 4 };

  std::uint32_t length = 0;  ///< Of the payload, in bytes.
  std::uint8_t type = 0;     ///< Also one that is not listed.
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
};

/// Finds the frames in one direction of an HTTP/2 connection and skips their
/// payload. Not thread-safe.
class Http2FrameScanner {
 public:
  /// Returns the next header that `bytes` completes, if any, and removes what
  /// it has read from `bytes`. Call it until it returns none; then all was
  /// read.
  std::optional<Http2FrameHeader> Next(std::string_view* bytes);

 private:
  static constexpr std::size_t kHeaderSize = 9;

  std::uint8_t header_[kHeaderSize] = {};
  std::size_t header_bytes_ = 0;
  std::size_t payload_left_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_HTTP2_FRAME_SCANNER_H_
