#ifndef VERNIER_HTTP_CHUNKED_BODY_H_
#define VERNIER_HTTP_CHUNKED_BODY_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Parses the chunks of a body strictly (RFC 9112, 7.1). Extensions and
/// trailers are skipped. Each part has a limit: 16 digits of a size, 256 bytes
/// of a chunk's extensions, 8 KiB of trailers. Not thread-safe.
class ChunkedBody {
 public:
  /// Returns the next piece of the body, which is a part of `*bytes`, and
  /// removes what it has read from `*bytes`, but nothing of what follows the
  /// body. Empty if more bytes are needed or the body is done.
  ///
  /// Errors: INVALID_ARGUMENT for a malformed chunk, and past a limit. Do not
  /// call it again after an error.
  absl::StatusOr<std::string_view> Next(std::string_view* bytes);

  bool is_done() const { return state_ == State::kDone; }

 private:
  enum class State {
    kSize,
    kExtension,
    kSizeEnd,
    kData,
    kDataReturn,
    kDataEnd,
    kTrailerStart,
    kTrailer,
    kTrailerEnd,
    kLastEnd,
    kDone,
  };

  absl::Status Take(char c);
  absl::Status TakeSize(char c);
  absl::Status TakeExtension(char c);
  absl::Status TakeTrailer(char c);
  absl::Status Expect(char c, char wanted, State next);

  State state_ = State::kSize;
  std::uint64_t left_ = 0;  // Of the size so far, then of the chunk.
  std::size_t digits_ = 0;
  std::size_t extension_bytes_ = 0;  // Of this chunk.
  std::size_t trailer_bytes_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CHUNKED_BODY_H_
