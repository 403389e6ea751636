#ifndef VERNIER_DAEMON_HTTP_FRONTEND_H_
#define VERNIER_DAEMON_HTTP_FRONTEND_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/attempt_tokens.h"
#include "access/authenticator.h"
#include "access/sign_in_codes.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "buckets/bucket_store.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/http/http_gateway.h"
#include "edge/http/json_methods.h"
#include "edge/load_limiter.h"
#include "faces/dashboard/dashboard_api.h"
#include "faces/dashboard/sign_in.h"
#include "faces/logging/logging_api.h"
#include "faces/ml/ml_jobs_api.h"
#include "faces/ml/ml_studies_api.h"
#include "faces/prometheus/metrics_page.h"
#include "faces/reports/report_api.h"
#include "faces/storage/storage_api.h"
#include "http/http_server.h"
#include "store/access/token_store.h"
#include "store/store.h"
#include "study/devices/device.h"
#include "trials/study_service.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// The HTTP interface of a service: Google's APIs and the dashboard, behind the
/// gate, on a port. Thread-safe once it listens.
class HttpFrontend {
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
    LoadLimiter& load;
    const Hindrances& hindrances;
    TokenStore& tokens;
    SignInCodes& sign_in_codes;
    /// These must be complete before Open.
    const JsonMethods& methods;
    std::string data_dir;
    std::vector<Device> devices;
    /// The same as in MetricsPage::Dependencies.
    std::function<std::vector<UnusableDevice>()> device_troubles;
    std::function<ObserverCounts()> observers = nullptr;
  };
  struct Options {
    /// "HOST:PORT". If empty, 127.0.0.1 and a port of PortsToTry.
    std::string listen;
    /// The port at which the service listened last. It is tried first unless
    /// `listen` names one.
    std::optional<int> last_port = {};
    std::vector<std::string> host_names;
    TlsFiles tls;  ///< Without a certificate: plain HTTP.
    /// The name of the dashboard's cookie. Services on one machine need
    /// different ones, since browsers do not distinguish ports.
    std::string session_cookie = {};
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  HttpFrontend(const Dependencies& dependencies, Options options);
  ~HttpFrontend();

  /// Starts to listen. Calls are answered with 503 until Open.
  ///
  /// Errors: INVALID_ARGUMENT for a malformed address or bad files, and for an
  /// address beyond this machine without TLS; UNAVAILABLE if the port is taken;
  /// INTERNAL if a call without a token would be admitted.
  absl::Status Listen();
  void Open() { front_.Open(); }
  /// Stops the server; no call is running afterwards.
  void Stop();

  /// Returns "http://HOST:PORT"; https with TLS.
  const std::string& url() const { return url_; }
  int port() const { return port_; }
  /// Returns a note for users if the port could not be kept; or an empty text.
  const std::string& moved() const { return moved_; }

 private:
  absl::StatusOr<std::unique_ptr<HttpServer>> Start(const Endpoint& endpoint);

  const Options options_;
  HttpGateway front_;
  MlJobsApi ml_jobs_;
  MlStudiesApi ml_studies_;
  LoggingApi logging_;
  ReportApi reports_;
  StorageApi storage_;
  SignIn sign_in_;
  DashboardApi dashboard_;
  MetricsPage metrics_;
  ThreadPool pool_;
  std::unique_ptr<HttpServer> server_;
  std::string url_;
  std::string moved_;
  int port_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_HTTP_FRONTEND_H_
