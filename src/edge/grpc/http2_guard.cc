#include "edge/grpc/http2_guard.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

using Frame = Http2FrameHeader;

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

absl::Status TooMany(const char* what, std::size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("a connection may have at most ", limit, " ", what));
}

}  // namespace

absl::Status Http2Guard::FromClient(std::string_view bytes) {
  VERNIER_RETURN_IF_ERROR(ReadPreface(&bytes));
  const std::size_t size = bytes.size();
  while (const auto frame = client_.Next(&bytes)) {
    VERNIER_RETURN_IF_ERROR(OnClientFrame(*frame));
  }
  if (has_called_) return absl::OkStatus();
  bytes_before_call_ += size;
  if (bytes_before_call_ <= limits_.max_bytes_before_call) {
    return absl::OkStatus();
  }
  return TooMany("bytes before its first call", limits_.max_bytes_before_call);
}

absl::Status Http2Guard::FromServer(std::string_view bytes) {
  while (const auto frame = server_.Next(&bytes)) {
    VERNIER_RETURN_IF_ERROR(OnServerFrame(*frame));
  }
  return absl::OkStatus();
}

absl::Status Http2Guard::ReadPreface(std::string_view* bytes) {
  const std::size_t size =
      std::min(kPreface.size() - preface_bytes_, bytes->size());
  if (bytes->substr(0, size) != kPreface.substr(preface_bytes_, size)) {
    return absl::InvalidArgumentError("not HTTP/2");
  }
  preface_bytes_ += size;
  bytes->remove_prefix(size);
  return absl::OkStatus();
}

absl::Status Http2Guard::OnClientFrame(const Http2FrameHeader& frame) {
  switch (frame.type) {
    case Frame::kHeaders:
      header_bytes_ = 0;
      header_frames_ = 0;
      headers_stream_ = frame.stream;
      return FollowHeaders(frame);
    case Frame::kContinuation:
      return FollowHeaders(frame);
    case Frame::kResetStream:
      open_.erase(frame.stream);
      return CountReset();
    default:
      return CountOther();
  }
}

absl::Status Http2Guard::CountOther() {
  if (has_called_) return absl::OkStatus();
  ++frames_before_call_;
  if (frames_before_call_ <= limits_.max_frames_before_call) {
    return absl::OkStatus();
  }
  return TooMany("frames before its first call",
                 static_cast<std::size_t>(limits_.max_frames_before_call));
}

absl::Status Http2Guard::OnServerFrame(const Http2FrameHeader& frame) {
  const bool is_end =
      (frame.type == Frame::kHeaders || frame.type == Frame::kData) &&
      (frame.flags & Frame::kEndStream) != 0;
  if (is_end) {
    answered_ += open_.erase(frame.stream);
    return absl::OkStatus();
  }
  // A client can also make the server reset a call by sending a wrong frame.
  if (frame.type == Frame::kResetStream && open_.erase(frame.stream) > 0) {
    return CountReset();
  }
  return absl::OkStatus();
}

absl::Status Http2Guard::FollowHeaders(const Http2FrameHeader& frame) {
  header_bytes_ += frame.length;
  ++header_frames_;
  if (header_bytes_ > limits_.max_header_bytes) {
    return TooMany("bytes of headers in a call", limits_.max_header_bytes);
  }
  // Empty frames add no bytes, but each costs time.
  if (header_frames_ > limits_.max_header_frames) {
    return TooMany("frames of headers in a call",
                   static_cast<std::size_t>(limits_.max_header_frames));
  }
  if ((frame.flags & Frame::kEndHeaders) == 0) return absl::OkStatus();
  has_called_ = true;
  return OpenCall(headers_stream_);
}

absl::Status Http2Guard::OpenCall(std::uint32_t stream) {
  // Stream numbers only grow: a lower one has trailers, or gRPC refuses it.
  if (stream <= last_stream_) return absl::OkStatus();
  last_stream_ = stream;
  open_.insert(stream);
  if (open_.size() <= limits_.max_open_calls) return absl::OkStatus();
  return TooMany("calls at once", limits_.max_open_calls);
}

absl::Status Http2Guard::CountReset() {
  ++resets_;
  // A client may cancel much of what it asks for, but one that resets far more
  // than it is answered only makes work.
  if (resets_ <= answered_ + limits_.spare_resets) return absl::OkStatus();
  return TooMany("calls reset beyond those answered", limits_.spare_resets);
}

}  // namespace vernier
