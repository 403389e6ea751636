#include "http/chunked_body.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "http/header_text.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxDigits = 16;
constexpr std::size_t kMaxExtension = 256;
constexpr std::size_t kMaxTrailers = 8 << 10;

absl::Status BadChunk(const char* why) {
  return absl::InvalidArgumentError(absl::StrCat("a chunk of the body ", why));
}

}  // namespace

absl::StatusOr<std::string_view> ChunkedBody::Next(std::string_view* bytes) {
  while (!bytes->empty() && state_ != State::kDone) {
    if (state_ == State::kData) {
      const auto size = static_cast<std::size_t>(
          std::min<std::uint64_t>(left_, bytes->size()));
      const std::string_view piece = bytes->substr(0, size);
      bytes->remove_prefix(size);
      left_ -= size;
      if (left_ == 0) state_ = State::kDataReturn;
      return piece;
    }
    VERNIER_RETURN_IF_ERROR(Take(bytes->front()));
    bytes->remove_prefix(1);
  }
  return std::string_view();
}

absl::Status ChunkedBody::Take(char c) {
  switch (state_) {
    case State::kSize:
      return TakeSize(c);
    case State::kExtension:
      return TakeExtension(c);
    case State::kSizeEnd:
      return Expect(c, '\n', left_ == 0 ? State::kTrailerStart : State::kData);
    case State::kDataReturn:
      return Expect(c, '\r', State::kDataEnd);
    case State::kDataEnd:
      digits_ = 0;
      extension_bytes_ = 0;
      return Expect(c, '\n', State::kSize);
    case State::kTrailerStart:
    case State::kTrailer:
      return TakeTrailer(c);
    case State::kTrailerEnd:
      return Expect(c, '\n', State::kTrailerStart);
    case State::kLastEnd:
      return Expect(c, '\n', State::kDone);
    case State::kData:
    case State::kDone:
      break;
  }
  return absl::OkStatus();
}

absl::Status ChunkedBody::TakeSize(char c) {
  if (const int digit = HexDigit(c); digit >= 0) {
    if (++digits_ > kMaxDigits) return BadChunk("has a size that is too long");
    left_ = left_ << 4 | static_cast<std::uint64_t>(digit);
    return absl::OkStatus();
  }
  if (digits_ == 0) return BadChunk("has no size");
  if (c == '\r') {
    state_ = State::kSizeEnd;
    return absl::OkStatus();
  }
  // Blanks before an extension are not allowed, but are common.
  if (c != ';' && c != ' ' && c != '\t') {
    return BadChunk("has a size that is no number");
  }
  state_ = State::kExtension;
  return absl::OkStatus();
}

absl::Status ChunkedBody::TakeExtension(char c) {
  if (c == '\r') {
    state_ = State::kSizeEnd;
    return absl::OkStatus();
  }
  if (!IsHeaderValue({&c, 1})) return BadChunk("has a bad extension");
  if (++extension_bytes_ > kMaxExtension) {
    return BadChunk("has extensions that are too long");
  }
  return absl::OkStatus();
}

absl::Status ChunkedBody::TakeTrailer(char c) {
  if (++trailer_bytes_ > kMaxTrailers) {
    return absl::InvalidArgumentError("the trailers of the body are too long");
  }
  if (c == '\r') {
    state_ = state_ == State::kTrailer ? State::kTrailerEnd : State::kLastEnd;
    return absl::OkStatus();
  }
  const bool is_good =
      state_ == State::kTrailer ? IsHeaderValue({&c, 1}) : IsTokenCharacter(c);
  if (!is_good) return absl::InvalidArgumentError("a trailer is no header");
  state_ = State::kTrailer;
  return absl::OkStatus();
}

absl::Status ChunkedBody::Expect(char c, char wanted, State next) {
  if (c != wanted) return BadChunk("has a line that does not end with CR LF");
  state_ = next;
  return absl::OkStatus();
}

}  // namespace vernier
