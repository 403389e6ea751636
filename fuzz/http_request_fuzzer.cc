// Reads bytes from a connection as the head of a request and the body behind
// it. Both end with a result that keeps its promises, or with an error, in
// bounded memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/chunked_body.h"
#include "http/gzip.h"
#include "http/header_text.h"
#include "http/request_head.h"

namespace {

void Require(bool is_kept) {
  if (!is_kept) std::abort();
}

void CheckHead(const vernier::RequestHead& head) {
  const vernier::HttpRequest& request = head.request;
  Require(!request.path.empty() && request.path.front() == '/');
  Require(request.path.find('?') == std::string::npos);
  Require(request.headers.size() <= 100);
  for (const auto& [name, value] : request.headers) {
    Require(vernier::IsHeaderName(name) && vernier::IsHeaderValue(value));
  }
  for (const auto& [name, value] : request.query) {
    Require(name.find('\0') == std::string::npos);
    Require(value.find('\0') == std::string::npos);
  }
  vernier::AcceptsGzip(request.Header("accept-encoding"));
  // A request with both could be smuggled past a proxy.
  Require(!(head.is_chunked && head.content_length.has_value()));
}

// Decodes a chunked body, which must be the same however its bytes come.
std::string Decode(std::string_view text, std::size_t step, bool* is_good) {
  vernier::ChunkedBody chunks;
  std::string body;
  while (!text.empty() && !chunks.is_done()) {
    std::string_view bytes = text.substr(0, step);
    text.remove_prefix(bytes.size());
    while (!bytes.empty() && !chunks.is_done()) {
      const auto piece = chunks.Next(&bytes);
      *is_good = piece.ok();
      if (!*is_good) return body;
      body.append(*piece);
    }
  }
  return body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto end = vernier::FindHeadEnd(text, 0);
  if (!end.has_value()) return 0;
  const auto head = vernier::ParseRequestHead(text.substr(0, *end));
  if (!head.ok()) return 0;
  CheckHead(*head);
  if (!head->is_chunked) return 0;
  bool is_good = true;
  bool is_good_slowly = true;
  const std::string body = Decode(text.substr(*end), size, &is_good);
  Require(Decode(text.substr(*end), 1, &is_good_slowly) == body);
  Require(is_good == is_good_slowly);
  return 0;
}
