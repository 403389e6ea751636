#ifndef VERNIER_SERVER_HTTP_EDGE_H_
#define VERNIER_SERVER_HTTP_EDGE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "buckets/bucket_store.h"
#include "http/http_server.h"
#include "server/attempt_tokens.h"
#include "server/authenticator.h"
#include "server/call_activity.h"
#include "server/call_pool.h"
#include "server/endpoint.h"
#include "server/logging_api.h"
#include "server/ml_jobs_api.h"
#include "server/ml_studies_api.h"
#include "server/rest_front.h"
#include "server/storage_api.h"
#include "store/store.h"
#include "study/clock.h"
#include "trials/job_service.h"
#include "trials/study_service.h"

namespace vernier {

/// All that a service does over HTTP: the interfaces of Google's APIs, behind
/// the gate, on a port. Thread-safe once it listens.
class HttpEdge {
 public:
  struct Dependencies {
    JobService& jobs;
    StudyService& studies;
    Store& store;
    const Clock& clock;
    const Authenticator& authenticator;
    const AttemptTokens& attempts;
    BucketStore& buckets;
    CallActivity& activity;
    RateLimiter& limiter;
    const Hindrances& hindrances;
  };
  struct Options {
    /// "HOST:PORT". Empty: 127.0.0.1:8477, or another port if that is taken.
    std::string listen;
    std::vector<std::string> host_names;
    TlsFiles tls;  ///< Without a certificate: plain HTTP.
  };

  /// Borrows what `dependencies` refers to; it must outlive this object.
  HttpEdge(const Dependencies& dependencies, Options options);
  ~HttpEdge();

  /// Listens. Calls are answered with 503 until Open.
  ///
  /// Errors: INVALID_ARGUMENT for an address or files that cannot be, and for
  /// one beyond this machine without TLS; UNAVAILABLE if the port is taken;
  /// INTERNAL if a call without a token would be let through.
  absl::Status Listen();
  void Open() { front_.Open(); }
  /// No call is under way afterwards.
  void Stop();

  /// "http://HOST:PORT"; https with TLS.
  const std::string& url() const { return url_; }

 private:
  absl::StatusOr<std::unique_ptr<HttpServer>> Start(const Endpoint& endpoint);

  const Options options_;
  RestFront front_;
  MlJobsApi ml_jobs_;
  MlStudiesApi ml_studies_;
  LoggingApi logging_;
  StorageApi storage_;
  CallPool pool_;
  std::unique_ptr<HttpServer> server_;
  std::string url_;
};

}  // namespace vernier

#endif  // VERNIER_SERVER_HTTP_EDGE_H_
