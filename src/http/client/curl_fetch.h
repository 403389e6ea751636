#ifndef VERNIER_HTTP_CLIENT_CURL_FETCH_H_
#define VERNIER_HTTP_CLIENT_CURL_FETCH_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "http/client/http_post.h"

namespace vernier {

/// The whole answer to a request, whatever its status.
struct FetchedAnswer {
  int status = 0;
  std::string body;
};

/// Sends one POST and waits for all of its answer, for programs that ask
/// another service something; CurlPoster is for those that only tell it.
/// Certificates are verified, and redirects are answers like any other.
///
/// Errors: INVALID_ARGUMENT for a URL that CheckOutboundUrl refuses;
/// FAILED_PRECONDITION if there is no libcurl; UNAVAILABLE if no answer came;
/// RESOURCE_EXHAUSTED if it is longer than `most_bytes`.
absl::StatusOr<FetchedAnswer> FetchAnswer(const HttpPost& post,
                                          std::size_t most_bytes);

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_CURL_FETCH_H_
