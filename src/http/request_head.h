#ifndef VERNIER_HTTP_REQUEST_HEAD_H_
#define VERNIER_HTTP_REQUEST_HEAD_H_

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "http/http_message.h"

// OpenSSL's, so that its headers stay in .cc files.
struct ssl_st;

namespace vernier {

/// The head of a parsed request, in our form. INVALID_ARGUMENT for a target
/// that cannot be, more than 100 headers, or not exactly one Host.
absl::StatusOr<HttpRequest> ReadRequestHead(
    const boost::beast::http::request_header<>& header);

/// Subject of the client's verified certificate ("CN=...,O=..."); empty if it
/// showed none.
std::string SubjectOfPeer(ssl_st* tls);

}  // namespace vernier

#endif  // VERNIER_HTTP_REQUEST_HEAD_H_
