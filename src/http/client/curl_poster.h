#ifndef VERNIER_HTTP_CLIENT_CURL_POSTER_H_
#define VERNIER_HTTP_CLIENT_CURL_POSTER_H_

#include <atomic>
#include <memory>

#include "absl/status/statusor.h"
#include "http/client/curl_library.h"
#include "http/client/http_post.h"

namespace vernier {

/// An HttpPoster by libcurl. Certificates are always verified, redirects are
/// answers like any other, and no more of an answer is read than is kept.
class CurlPoster final : public HttpPoster {
 public:
  /// FAILED_PRECONDITION if there is no libcurl.
  static absl::StatusOr<std::unique_ptr<CurlPoster>> Create();
  ~CurlPoster() override;

  absl::StatusOr<HttpPostAnswer> Post(const HttpPost& post) override;
  void Stop() override;

 private:
  explicit CurlPoster(CurlLibrary curl);

  const CurlLibrary curl_;
  CURLM* const multi_;
  std::atomic<bool> is_stopping_{false};
};

}  // namespace vernier

#endif  // VERNIER_HTTP_CLIENT_CURL_POSTER_H_
