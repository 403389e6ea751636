#ifndef VERNIER_DAEMON_KATIB_FRONTEND_H_
#define VERNIER_DAEMON_KATIB_FRONTEND_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/load_limiter.h"
#include "faces/katib/katib_handlers.h"

namespace vernier {

/// The address where Katib's controller asks for points. It has a listener of
/// its own, so that nothing else of the service can be reached there.
/// Thread-safe once it listens.
class KatibFrontend {
 public:
  struct Dependencies {
    ThreadPool& pool;     ///< Of calls.
    ThreadPool& fitters;  ///< Of models.
    CallActivity& activity;
    LoadLimiter& load;
    KatibCluster cluster = {};  ///< For early stopping.
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  explicit KatibFrontend(const Dependencies& dependencies)
      : dependencies_(dependencies),
        handlers_(dependencies.fitters, dependencies.cluster) {}

  /// Does the same as GrpcListener::Listen. Call once.
  absl::Status Listen(
      Endpoint endpoint,
      const std::function<void(const absl::Status&)>& on_offence);

  /// Returns where it listens, with the port that was chosen.
  std::string address() const { return endpoint_.ToString(); }

  /// As GrpcListener's.
  void StopServing() { listener_->StopServing(); }
  void Shutdown() { listener_->Shutdown(); }

 private:
  const Dependencies dependencies_;
  KatibHandlers handlers_;
  Endpoint endpoint_;
  std::unique_ptr<GrpcListener> listener_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_KATIB_FRONTEND_H_
