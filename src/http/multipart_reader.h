#ifndef VERNIER_HTTP_MULTIPART_READER_H_
#define VERNIER_HTTP_MULTIPART_READER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "http/http_message.h"

namespace vernier {

/// Receives the parts of a multipart body, in their order.
class MultipartSink {
 public:
  virtual ~MultipartSink() = default;
  /// Names of `headers` are in lower case.
  virtual absl::Status BeginPart(const HttpFields& headers) = 0;
  virtual absl::Status PartData(std::string_view data) = 0;
  virtual absl::Status EndPart() = 0;
};

/// Parses a multipart body (RFC 2046) as it comes, in bounded memory. Line ends
/// are CR LF, or LF alone if the first one is: Python's email package writes
/// LF, and Google's clients use it. Not thread-safe.
class MultipartReader {
 public:
  /// Borrows `sink`.
  MultipartReader(const std::string& boundary, MultipartSink& sink);

  /// Takes the next bytes. INVALID_ARGUMENT if the body is malformed, or the
  /// error that the sink returned; do not call it again then.
  absl::Status Feed(std::string_view bytes);
  /// Must be called at the end of the body. INVALID_ARGUMENT if the last part
  /// is not complete.
  absl::Status End() const;

 private:
  enum class State { kPreamble, kHeaders, kData, kAfterDelimiter, kDone };

  // Each returns whether it made progress; if not, it needs more bytes.
  absl::StatusOr<bool> Step();
  absl::StatusOr<bool> ReadPreamble();
  absl::StatusOr<bool> ReadHeaders();
  absl::StatusOr<bool> ReadData();
  absl::StatusOr<bool> ReadAfterDelimiter();

  const std::string dash_boundary_;
  MultipartSink& sink_;
  State state_ = State::kPreamble;
  std::string line_end_;
  std::string delimiter_;  // line_end_ + dash_boundary_.
  std::string buffer_;     // What was not taken before this Feed.
  std::string_view rest_;  // During a Feed.
};

/// Returns the boundary of a Content-Type such as multipart/related;
/// boundary="x". Null for another type, or without a boundary of 1 to 200
/// characters. Pure.
std::optional<std::string> MultipartBoundary(std::string_view content_type);

}  // namespace vernier

#endif  // VERNIER_HTTP_MULTIPART_READER_H_
