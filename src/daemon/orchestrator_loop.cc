#include "daemon/orchestrator_loop.h"

#include <chrono>
#include <utility>

#include "absl/status/statusor.h"

namespace vernier {

OrchestratorLoop::OrchestratorLoop(Orchestrator& orchestrator,
                                   Launcher& launcher,
                                   std::function<void()> on_failure)
    : orchestrator_(orchestrator),
      launcher_(launcher),
      on_failure_(std::move(on_failure)) {}

OrchestratorLoop::~OrchestratorLoop() { Stop(); }

absl::Status OrchestratorLoop::FirstStep() {
  return orchestrator_.Step().status();
}

void OrchestratorLoop::Start() {
  thread_ = std::thread([this] { Run(); });
}

void OrchestratorLoop::Stop() {
  stopping_ = true;
  if (!thread_.joinable()) return;
  launcher_.Wake();
  thread_.join();
}

absl::Status OrchestratorLoop::status() const {
  MutexLock lock(mu_);
  return status_;
}

void OrchestratorLoop::Run() {
  while (!stopping_) {
    const absl::StatusOr<std::chrono::milliseconds> wait = orchestrator_.Step();
    if (!wait.ok()) {
      {
        MutexLock lock(mu_);
        status_ = wait.status();
      }
      on_failure_();
      return;
    }
    if (*wait > std::chrono::milliseconds(0) && !stopping_) {
      launcher_.Wait(*wait);
    }
  }
}

}  // namespace vernier
