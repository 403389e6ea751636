#ifndef VERNIER_HTTP_REQUEST_HEAD_H_
#define VERNIER_HTTP_REQUEST_HEAD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "http/http_message.h"

namespace vernier {

/// The head of a request, and how its body is framed.
struct RequestHead {
  HttpRequest request;
  /// Set if the head has it; never together with `is_chunked`.
  std::optional<std::uint64_t> content_length;
  bool is_chunked = false;
  bool keeps_connection = true;
  bool expects_continue = false;

  /// Without either of these there is no body.
  bool has_body() const { return is_chunked || content_length.value_or(0) > 0; }
};

/// Returns the end of the head at the beginning of `text`, after its blank
/// line; nullopt if that has not come yet. The first `seen` bytes are known to
/// contain no end. Pure.
std::optional<std::size_t> FindHeadEnd(std::string_view text, std::size_t seen);

/// Parses a whole head, including its blank line, strictly by RFC 9112.
/// Everything that a proxy in front of this service could read differently is
/// refused, because that is how requests are smuggled past a proxy: unusual
/// line ends or continuations, blanks before a colon, two lengths, a transfer
/// coding besides "chunked", or an absolute target of another host than the
/// Host header. Pure.
///
/// Errors: INVALID_ARGUMENT with the mistake, also for more than 100 headers
/// and for any number of Hosts other than one.
absl::StatusOr<RequestHead> ParseRequestHead(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_HTTP_REQUEST_HEAD_H_
