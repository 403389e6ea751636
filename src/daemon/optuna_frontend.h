#ifndef VERNIER_DAEMON_OPTUNA_FRONTEND_H_
#define VERNIER_DAEMON_OPTUNA_FRONTEND_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/load_limiter.h"
#include "faces/optuna/optuna_handlers.h"
#include "faces/optuna/optuna_points.h"

namespace vernier {

/// Where a service answers Optuna's clients, and how.
struct OptunaAddress {
  Endpoint endpoint;
  bool has_engine = false;  ///< New trials carry points of our engine.
  bool is_open = false;     ///< Other machines may reach it.
};

/// Reads "HOST:PORT[,engine][,open]"; "unix:PATH" may stand for the first part.
/// INVALID_ARGUMENT for anything else, and for an address that other machines
/// could reach without "open", since the protocol has no credentials. Pure.
absl::StatusOr<OptunaAddress> ReadOptunaAddress(const std::string& text);

/// The interface for Optuna's clients, at an address of its own, which has no
/// other methods. Thread-safe once it listens.
class OptunaFrontend {
 public:
  struct Dependencies {
    Store& store;
    StudyService& studies;
    StudyEngines& engines;
    const Clock& clock;
    QuotaStore& quotas;
    LoadLimiter& load;
    ThreadPool& pool;
    CallActivity& activity;
    std::function<std::uint64_t()> random_seed;
    /// Receives one line for the log of the service. Any thread.
    std::function<void(const std::string&)> log;
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  OptunaFrontend(const Dependencies& dependencies, OptunaAddress address);

  /// Does the same as GrpcListener::Listen. Call once.
  absl::Status Listen(
      const std::function<void(const absl::Status&)>& on_offence);
  /// Does the same as GrpcListener's methods.
  void StopServing();
  void Shutdown();

  const OptunaAddress& address() const { return address_; }

 private:
  const Dependencies dependencies_;
  OptunaAddress address_;  // Gets its port when it listens.
  OptunaPoints points_;
  OptunaHandlers handlers_;
  std::unique_ptr<GrpcListener> listener_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_OPTUNA_FRONTEND_H_
