#ifndef VERNIER_HTTP_CLIENT_CURL_POSTER_H_
#define VERNIER_HTTP_CLIENT_CURL_POSTER_H_

#include <atomic>
#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "http/client/curl_library.h"
#include "http/client/http_post.h"

namespace vernier {

/// An HttpPoster by libcurl. Certificates are always verified, redirects are
/// answers like any other, and no more of an answer is read than is kept.
class CurlPoster final : public HttpPoster {
 public:
  /// Of each answer, `kept_bytes` are kept; by default, enough to tell people
  /// what is wrong. FAILED_PRECONDITION if there is no libcurl.
  static absl::StatusOr<std::unique_ptr<CurlPoster>> Create(
      std::size_t kept_bytes = 500);
  ~CurlPoster() override;

  absl::StatusOr<HttpPostAnswer> Post(const HttpPost& post) override;
  void Stop() override;

 private:
  CurlPoster(CurlLibrary curl, std::size_t kept_bytes);

  const CurlLibrary curl_;
  const std::size_t kept_bytes_;
  CURLM* const multi_;
  std::atomic<bool> is_stopping_{false};
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_CURL_POSTER_H_
