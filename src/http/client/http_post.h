#ifndef VERNIER_HTTP_CLIENT_HTTP_POST_H_
#define VERNIER_HTTP_CLIENT_HTTP_POST_H_

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// A POST to another service.
struct HttpPost {
  std::string url;                   ///< As CheckOutboundUrl wants it.
  std::vector<std::string> headers;  ///< "Name: value", each without line ends.
  std::string body;
  std::chrono::milliseconds time_limit{10000};  ///< Of all of it.
  std::string ca_file = "";  ///< Authorities to trust; empty: the system's.
};

/// The answer to a POST, whatever its status.
struct HttpPostAnswer {
  int status = 0;
  std::string beginning = "";  ///< Of its body; foreign text, for people.
  std::chrono::seconds retry_after{0};  ///< 0: it does not say.
  bool is_cut_off = false;  ///< All that is kept has come; there may be more.
};

/// Sends requests to other services, one after the other. Not thread-safe,
/// except for Stop.
class HttpPoster {
 public:
  virtual ~HttpPoster() = default;

  /// Sends the request and waits for the answer. UNAVAILABLE if none came, so
  /// that it is unknown whether the request arrived; CANCELLED after Stop.
  virtual absl::StatusOr<HttpPostAnswer> Post(const HttpPost& post) = 0;
  /// Cancels the running call, and any later one. Thread-safe.
  virtual void Stop() = 0;
};

/// Returns OK for a URL to which the service may send: http or https, a host,
/// at most 2,048 characters, no user name, no fragment. Otherwise
/// INVALID_ARGUMENT, which does not repeat the URL, since it may contain a
/// secret.
absl::Status CheckOutboundUrl(const std::string& url);

/// Returns the URL's scheme, host and port, which may be logged. `url` must
/// satisfy CheckOutboundUrl.
std::string OriginOf(const std::string& url);

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_HTTP_POST_H_
