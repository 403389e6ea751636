#ifndef VERNIER_EDGE_GRPC_HTTP2_GUARD_H_
#define VERNIER_EDGE_GRPC_HTTP2_GUARD_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "absl/status/status.h"
#include "edge/grpc/http2_frame_scanner.h"

namespace vernier {

/// What one connection may ask of gRPC. A client that keeps to what gRPC
/// announces (100 calls at once, 8 KiB of metadata) comes near none of these.
struct Http2Limits {
  /// Of the headers of one call, compressed, over all frames they come in.
  std::size_t max_header_bytes = 64 << 10;
  int max_header_frames = 32;
  /// Before the headers of the first call are complete.
  std::size_t max_bytes_before_call = 128 << 10;
  /// All but headers, before then (PING, SETTINGS): each costs gRPC more than
  /// bytes.
  int max_frames_before_call = 100;
  /// Clients learn of gRPC's own limit only after their first calls.
  std::size_t max_open_calls = 1000;
  /// Calls may be reset as often as calls were answered, and so often besides.
  std::uint64_t spare_resets = 500;
};

/// Follows what goes over one HTTP/2 connection, and says when to cut it off.
/// gRPC 1.51 reads headers of any size at quadratic cost and keeps each call
/// that was reset in memory until it has looked at it, both before it is known
/// who calls (CVE-2023-33953, CVE-2023-44487). Pure: knows no time and no
/// socket. Memory is bounded by the limits. Not thread-safe.
class Http2Guard {
 public:
  explicit Http2Guard(const Http2Limits& limits = {}) : limits_(limits) {}

  /// Looks at the next bytes of the client, before they are passed on.
  ///
  /// Errors: INVALID_ARGUMENT if it does not speak HTTP/2; RESOURCE_EXHAUSTED
  /// past a limit. The connection is then to be closed.
  absl::Status FromClient(std::string_view bytes);

  /// Looks at the next bytes of the server. Errors: RESOURCE_EXHAUSTED.
  absl::Status FromServer(std::string_view bytes);

  /// Whether a call was begun, by all of its headers, that has not ended.
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
  std::size_t header_bytes_ = 0;  // Of the headers that are under way.
  int header_frames_ = 0;
  std::uint32_t headers_stream_ = 0;  // Whose headers are under way.
  std::uint32_t last_stream_ = 0;
  std::unordered_set<std::uint32_t> open_;
  std::uint64_t answered_ = 0;
  std::uint64_t resets_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_EDGE_GRPC_HTTP2_GUARD_H_
