#ifndef VERNIER_DAEMON_GRPC_FRONTEND_H_
#define VERNIER_DAEMON_GRPC_FRONTEND_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "access/rate_limiter.h"
#include "access/sign_in_codes.h"
#include "access/vizier_access.h"
#include "base/thread_pool.h"
#include "buckets/bucket_store.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/grpc/call_gate.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/grpc/stream_pump.h"
#include "edge/http/json_methods.h"
#include "edge/load_limiter.h"
#include "faces/native/access_handlers.h"
#include "faces/native/bucket_handlers.h"
#include "faces/native/job_handlers.h"
#include "faces/native/project_handlers.h"
#include "faces/native/study_handlers.h"
#include "faces/reports/report_handlers.h"
#include "faces/vizier/vizier_handlers.h"
#include "http/http_server.h"

namespace vernier {

/// The gRPC interface of a service: Vernier's own services, behind the gate,
/// and OSS Vizier's, at the same endpoints. Thread-safe once it listens.
class GrpcFrontend {
 public:
  struct Dependencies {
    JobService& jobs;
    StudyService& studies;
    Store& store;
    const Authenticator& authenticator;
    const AttemptTokens& attempts;
    TokenStore& tokens;
    const Clock& clock;
    QuotaStore& quotas;
    BucketStore& buckets;
    const Hindrances& hindrances;
    StudyEngines& engines;
    RateLimiter& limiter;
    LoadLimiter& load;
    ThreadPool& pool;
    CallActivity& activity;
    SignInCodes& sign_in_codes;
    /// Notifies the orchestrator that something changed. Any thread.
    std::function<void()> wake;
    /// Receives one line for the log of the service. Any thread.
    std::function<void(const std::string&)> log;
  };
  struct Options {
    JobHandlers::Options jobs;
    VizierOverTcp vizier_over_tcp = VizierOverTcp::kRefused;
    TlsFiles tls;  ///< For TCP.
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  GrpcFrontend(const Dependencies& dependencies, Options options);

  /// Adds the unary methods that are also called in JSON.
  void AddJsonMethods(JsonMethods* methods);

  /// Does the same as GrpcListener::Listen. Call once.
  absl::Status Listen(
      const std::vector<Endpoint*>& endpoints,
      const std::function<void(const absl::Status&)>& on_offence);

  /// Makes health checks answer NOT_SERVING from now on, and ends streams with
  /// UNAVAILABLE, so that clients know where to continue.
  void StopServing();
  /// Does the same as GrpcListener::Shutdown.
  void Shutdown();

 private:
  const TlsFiles tls_;
  const CallGate gate_;
  StreamPump pump_;
  AccessHandlers access_handlers_;
  JobHandlers job_handlers_;
  ProjectHandlers project_handlers_;
  BucketHandlers bucket_handlers_;
  StudyHandlers study_handlers_;
  ReportHandlers report_handlers_;
  VizierHandlers vizier_handlers_;
  GrpcMethods methods_;  // Until they are listened for.
  std::unique_ptr<GrpcListener> listener_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_GRPC_FRONTEND_H_
