#ifndef VERNIER_SERVER_GRPC_EDGE_H_
#define VERNIER_SERVER_GRPC_EDGE_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "buckets/bucket_store.h"
#include "http/http_server.h"
#include "server/access_grpc_service.h"
#include "server/bucket_grpc_service.h"
#include "server/bucket_handlers.h"
#include "server/call_activity.h"
#include "server/call_gate.h"
#include "server/call_pool.h"
#include "server/endpoint.h"
#include "server/grpc_listener.h"
#include "server/job_grpc_service.h"
#include "server/job_handlers.h"
#include "server/project_grpc_service.h"
#include "server/project_handlers.h"
#include "server/rate_limiter.h"
#include "server/stream_pump.h"
#include "server/study_grpc_service.h"
#include "server/study_handlers.h"
#include "server/vizier_grpc_service.h"
#include "server/vizier_handlers.h"

namespace vernier {

/// All that a service does over gRPC: our services, behind the gate, and OSS
/// Vizier's, at the same endpoints. Thread-safe once it listens.
class GrpcEdge {
 public:
  struct Dependencies {
    JobService& jobs;
    StudyService& studies;
    Store& store;
    const Authenticator& authenticator;
    TokenStore& tokens;
    const Clock& clock;
    QuotaStore& quotas;
    BucketStore& buckets;
    const Hindrances& hindrances;
    RateLimiter& limiter;
    CallPool& pool;
    CallActivity& activity;
    /// Tells the orchestrator that something changed. Any thread.
    std::function<void()> wake;
    /// One line for the log of the service. Any thread.
    std::function<void(const std::string&)> log;
  };
  struct Options {
    JobHandlers::Options jobs;
    VizierOverTcp vizier_over_tcp = VizierOverTcp::kRefused;
    TlsFiles tls;  ///< For TCP.
  };

  /// Borrows what `dependencies` refers to; it must outlive this object.
  GrpcEdge(const Dependencies& dependencies, Options options);

  /// As GrpcListener::Listen. Call once.
  absl::Status Listen(
      const std::vector<Endpoint*>& endpoints,
      const std::function<void(const absl::Status&)>& on_offence);

  /// Says NOT_SERVING from now on, and ends streams with UNAVAILABLE, so that
  /// clients know where to go on.
  void StopServing();
  /// As GrpcListener::Shutdown.
  void Shutdown();

 private:
  const TlsFiles tls_;
  const VizierOverTcp vizier_over_tcp_;
  const CallGate gate_;
  StreamPump pump_;
  JobHandlers job_handlers_;
  JobGrpcService jobs_;
  AccessHandlers access_handlers_;
  AccessGrpcService access_;
  ProjectHandlers project_handlers_;
  ProjectGrpcService projects_;
  BucketHandlers bucket_handlers_;
  BucketGrpcService buckets_;
  StudyHandlers study_handlers_;
  StudyGrpcService studies_;
  VizierHandlers vizier_handlers_;
  VizierGrpcService vizier_;
  std::unique_ptr<GrpcListener> listener_;
};

}  // namespace vernier

#endif  // VERNIER_SERVER_GRPC_EDGE_H_
