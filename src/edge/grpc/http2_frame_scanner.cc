#include "edge/grpc/http2_frame_scanner.h"

#include <algorithm>

#include "base/big_endian.h"

namespace vernier {
std::optional<Http2FrameHeader> Http2FrameScanner::Next(
    std::string_view* bytes) {
  const std::size_t skipped = std::min(payload_left_, bytes->size());
  payload_left_ -= skipped;
  bytes->remove_prefix(skipped);
  const std::size_t taken =
      std::min(kHeaderSize - header_bytes_, bytes->size());
  std::copy_n(bytes->begin(), taken, header_ + header_bytes_);
  header_bytes_ += taken;
  bytes->remove_prefix(taken);
  if (header_bytes_ < kHeaderSize) return std::nullopt;
  Http2FrameHeader frame;
  frame.length = ReadBigEndian(header_, 3);
  frame.type = header_[3];
  frame.flags = header_[4];
  frame.stream = ReadBigEndian(header_ + 5, 4) & 0x7fffffffU;
  header_bytes_ = 0;
  payload_left_ = frame.length;
  return frame;
}

}  // namespace vernier
