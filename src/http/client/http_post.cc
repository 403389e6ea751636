#include "http/client/http_post.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/match.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxUrl = 2048;

// Returns the offset of the host; 0 if the scheme is neither http nor https.
std::size_t HostOffset(const std::string& url) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (absl::StartsWithIgnoreCase(
            url, absl::string_view(scheme.data(), scheme.size()))) {
      return scheme.size();
    }
  }
  return 0;
}

}  // namespace

absl::Status CheckOutboundUrl(const std::string& url) {
  const std::size_t host = HostOffset(url);
  if (host == 0) {
    return absl::InvalidArgumentError("must begin with http:// or https://");
  }
  if (url.size() > kMaxUrl) {
    return absl::InvalidArgumentError(
        "must have at most 2048 characters: it has " +
        std::to_string(url.size()));
  }
  if (std::any_of(url.begin(), url.end(),
                  [](char c) { return c <= ' ' || c > '~'; })) {
    return absl::InvalidArgumentError(
        "must consist of printable ASCII characters without blanks");
  }
  const std::string authority =
      url.substr(host, url.find_first_of("/?#", host) - host);
  if (authority.find('@') != std::string::npos) {
    return absl::InvalidArgumentError("must not hold a user name or password");
  }
  if (url.find('#') != std::string::npos) {
    return absl::InvalidArgumentError("must not have a fragment (#)");
  }
  if (authority.empty() || authority.front() == ':') {
    return absl::InvalidArgumentError("must name a host");
  }
  return absl::OkStatus();
}

std::string OriginOf(const std::string& url) {
  const std::size_t host = HostOffset(url);
  return url.substr(0, std::min(url.find_first_of("/?", host), url.size()));
}

}  // namespace vernier
