#ifndef VERNIER_DAEMON_ORCHESTRATOR_LOOP_H_
#define VERNIER_DAEMON_ORCHESTRATOR_LOOP_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "absl/status/status.h"
#include "base/mutex.h"
#include "trials/jobs/launcher.h"
#include "trials/jobs/orchestrator.h"

namespace vernier {

/// The thread that owns an orchestrator. Thread-compatible.
class OrchestratorLoop {
 public:
  /// Takes the first step on the caller's thread; call Start only if it
  /// succeeded. Borrows both; they must outlive this object. The thread calls
  /// `on_failure` when the orchestrator has failed.
  OrchestratorLoop(Orchestrator& orchestrator, Launcher& launcher,
                   std::function<void()> on_failure);
  ~OrchestratorLoop();
  OrchestratorLoop(const OrchestratorLoop&) = delete;
  OrchestratorLoop& operator=(const OrchestratorLoop&) = delete;

  /// Takes the first step. Returns the store's error if it failed.
  absl::Status FirstStep();

  /// Starts the thread, which takes steps until it is stopped.
  void Start();

  /// Makes the orchestrator preempt all running trials, and ends the thread
  /// once none runs, or after `patience`.
  void DrainAndStop(std::chrono::milliseconds patience);

  /// Ends the thread after the current step; attempts continue. Idempotent.
  void Stop();

  /// Returns the first failure, which ended the thread.
  absl::Status status() const;

 private:
  void Run();

  Orchestrator& orchestrator_;
  Launcher& launcher_;
  const std::function<void()> on_failure_;
  std::atomic<bool> stopping_{false};
  /// The time at which a drain is given up, in ms of std::chrono::steady_clock;
  /// 0 if there is none.
  std::atomic<std::int64_t> drained_by_{0};
  mutable Mutex mu_;
  absl::Status status_ VERNIER_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_DAEMON_ORCHESTRATOR_LOOP_H_
