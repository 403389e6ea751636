#ifndef VERNIER_HTTP_GZIP_H_
#define VERNIER_HTTP_GZIP_H_

#include <string>
#include <string_view>

namespace vernier {

/// Returns `text` in the gzip format (RFC 1952), fast rather than small. Pure.
std::string Gzip(std::string_view text);

/// Returns whether an Accept-Encoding header (RFC 9110, 12.5.3) allows gzip.
/// Pure.
bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace vernier

#endif  // VERNIER_HTTP_GZIP_H_
