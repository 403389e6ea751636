#ifndef VERNIER_EDGE_GRPC_HTTP2_GUARD_H_
#define VERNIER_EDGE_GRPC_HTTP2_GUARD_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "absl/status/status.h"
#include "edge/grpc/http2_frame_scanner.h"

namespace vernier {

/// The most that one connection may ask of gRPC. A client within the limits
/// that gRPC announces (100 calls at once, 8 KiB of metadata) stays far below
/// these.
struct Http2Limits {
  /// Limit of the headers of one call, compressed, over all their frames.
  std::size_t max_header_bytes = 64 << 10;
  int max_header_frames = 32;
  /// Limit until the headers of the first call are complete.
  std::size_t max_bytes_before_call = 128 << 10;
  /// Limit of other frames until then (PING, SETTINGS), each of which costs
  /// gRPC more than its bytes.
  int max_frames_before_call = 100;
  /// Higher than gRPC's own limit, which clients learn only after their first
  /// calls.
  std::size_t max_open_calls = 1000;
  /// Allowed resets of calls = answered calls + this many.
  std::uint64_t spare_resets = 500;
};

/// Follows the frames of one HTTP/2 connection and says when to cut it off.
/// gRPC 1.51 reads headers of any size at quadratic cost, and keeps each call
/// that was reset in memory until it has processed it. It does both before the
/// caller is known (CVE-2023-33953, CVE-2023-44487). Pure: it uses neither
/// clock nor socket. The limits bound its memory. Not thread-safe.
class Http2Guard {
 public:
  explicit Http2Guard(const Http2Limits& limits = {}) : limits_(limits) {}

  /// Checks the next bytes of the client before they are passed on.
  ///
  /// Errors: INVALID_ARGUMENT if it does not speak HTTP/2; RESOURCE_EXHAUSTED
  /// past a limit. The caller must then close the connection.
  absl::Status FromClient(std::string_view bytes);

  /// Checks the next bytes of the server. Errors: RESOURCE_EXHAUSTED.
  absl::Status FromServer(std::string_view bytes);

  /// Returns whether a call is open, which means that all of its headers have
  /// come.
  bool has_open_calls() const { return !open_.empty(); }

 private:
  absl::Status ReadPreface(std::string_view* bytes);
  absl::Status OnClientFrame(const Http2FrameHeader& frame);
  absl::Status OnServerFrame(const Http2FrameHeader& frame);
  absl::Status FollowHeaders(const Http2FrameHeader& frame);
  absl::Status OpenCall(std::uint32_t stream);
  absl::Status CountReset();
  absl::Status CountOther();

  const Http2Limits limits_;
  std::size_t preface_bytes_ = 0;
  Http2FrameScanner client_;
  Http2FrameScanner server_;
  bool has_called_ = false;
  std::size_t bytes_before_call_ = 0;
  int frames_before_call_ = 0;
  std::size_t header_bytes_ = 0;  // Of headers that are not complete.
  int header_frames_ = 0;
  std::uint32_t headers_stream_ = 0;  // The stream of those headers.
  std::uint32_t last_stream_ = 0;
  std::unordered_set<std::uint32_t> open_;
  std::uint64_t answered_ = 0;
  std::uint64_t resets_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_HTTP2_GUARD_H_
