#include "daemon/orchestrator_loop.h"

#include <chrono>
#include <utility>

#include "absl/status/statusor.h"

namespace vernier {
namespace {

std::int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

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

void OrchestratorLoop::DrainAndStop(std::chrono::milliseconds patience) {
  if (thread_.joinable()) {
    drained_by_ = NowMs() + patience.count();
    orchestrator_.Drain();
    launcher_.Wake();
    thread_.join();
  }
  Stop();
}

void OrchestratorLoop::Stop() {
  stopping_ = true;
  if (!thread_.joinable()) return;
  // This ends the wait of the loop, which would otherwise see the flag only
  // later.
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
    const std::int64_t drained_by = drained_by_;
    if (drained_by > 0 &&
        (orchestrator_.is_drained() || NowMs() >= drained_by)) {
      return;
    }
    if (*wait > std::chrono::milliseconds(0) && !stopping_) {
      launcher_.Wait(*wait);
    }
  }
}

}  // namespace vernier
