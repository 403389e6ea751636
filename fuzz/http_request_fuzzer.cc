// Bytes from a connection: the parser and our reading of a head end with a
// request that keeps its promises, or with an error, in bounded memory.

#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "http/gzip.h"
#include "http/request_head.h"

namespace {

namespace http = boost::beast::http;

void Require(bool is_kept) {
  if (!is_kept) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  http::request_parser<http::buffer_body> parser;
  parser.header_limit(16 << 10);
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
  parser.eager(false);
  boost::system::error_code error;
  std::size_t used = 0;
  while (!error && !parser.is_header_done() && used < size) {
    const std::size_t taken =
        parser.put(boost::asio::buffer(data + used, size - used), error);
    if (taken == 0) break;
    used += taken;
  }
  if (error || !parser.is_header_done()) return 0;
  const auto request = vernier::ReadRequestHead(parser.get().base());
  if (!request.ok()) return 0;
  Require(!request->path.empty() && request->path.front() == '/');
  Require(request->path.find('?') == std::string::npos);
  Require(request->headers.size() <= 100);
  for (const auto& [name, value] : request->query) {
    Require(name.find('\0') == std::string::npos);
    Require(value.find('\0') == std::string::npos);
  }
  vernier::AcceptsGzip(request->Header("accept-encoding"));
  // Both at once is how requests are smuggled past a proxy.
  Require(!(parser.chunked() && parser.content_length().has_value()));
  return 0;
}
