#include "cluster/machine/gpu_monitor.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"

namespace vernier {
namespace {

// A check takes milliseconds unless the driver hangs.
constexpr std::chrono::milliseconds kLastLook{500};

}  // namespace

struct GpuMonitor::State {
  State(const std::vector<std::string>& ids, ExamineGpu how, Options given)
      : examine(std::move(how)),
        options(std::move(given)),
        watch(ids, options.policy, options.periods) {}

  const ExamineGpu examine;
  const Options options;
  const SystemClock clock;
  mutable Mutex mu;
  std::condition_variable_any changed;
  GpuWatch watch VERNIER_GUARDED_BY(mu);
  bool is_stopping VERNIER_GUARDED_BY(mu) = false;
  bool is_telling VERNIER_GUARDED_BY(mu) = false;  ///< In on_change.
  bool has_ended VERNIER_GUARDED_BY(mu) = false;
};

GpuMonitor::GpuMonitor(const std::vector<std::string>& ids, ExamineGpu examine,
                       Options options)
    : state_(std::make_shared<State>(ids, std::move(examine),
                                     std::move(options))) {
  // The thread is detached, because nothing can interrupt a call into a driver
  // that hangs. It shares the state, since it may outlive this object.
  std::thread([state = state_] { Run(state); }).detach();
}

GpuMonitor::~GpuMonitor() {
  MutexLock lock(state_->mu);
  state_->is_stopping = true;
  state_->changed.notify_all();
  const auto deadline = std::chrono::steady_clock::now() + kLastLook;
  while (!state_->has_ended) {
    // A running on_change must end first: its owner is about to be destroyed.
    if (state_->is_telling) {
      state_->changed.wait(state_->mu);
    } else if (state_->changed.wait_until(state_->mu, deadline) ==
               std::cv_status::timeout) {
      if (!state_->is_telling) return;
    }
  }
}

// Waits for the next GPU that is due for a check and returns it; nullopt when
// the monitor stops.
std::optional<std::string> GpuMonitor::AwaitNext(State& state) {
  MutexLock lock(state.mu);
  while (!state.is_stopping) {
    const SteadyTime now = state.clock.Steady();
    std::optional<std::string> next = state.watch.Next(now);
    if (next.has_value()) return next;
    const std::optional<SteadyTime> wake = state.watch.NextTime();
    if (wake.has_value()) {
      state.changed.wait_for(state.mu, *wake - now);
    } else {
      state.changed.wait(state.mu);
    }
  }
  return std::nullopt;
}

// Records the result of a check. Returns whether to call on_change.
bool GpuMonitor::Take(State& state, const std::string& id,
                      const GpuCondition& condition) {
  MutexLock lock(state.mu);
  const bool changes = state.watch.Took(id, condition, state.clock.Steady());
  state.is_telling =
      changes && !state.is_stopping && state.options.on_change != nullptr;
  return state.is_telling;
}

void GpuMonitor::Run(const std::shared_ptr<State>& state) {
  while (const std::optional<std::string> next = AwaitNext(*state)) {
    if (!Take(*state, *next, state->examine(*next))) continue;
    state->options.on_change();
    MutexLock lock(state->mu);
    state->is_telling = false;
    state->changed.notify_all();
  }
  MutexLock lock(state->mu);
  state->has_ended = true;
  state->changed.notify_all();
}

std::vector<UnusableDevice> GpuMonitor::Check(
    const std::vector<std::string>& free) {
  MutexLock lock(state_->mu);
  const SteadyTime now = state_->clock.Steady();
  if (state_->watch.SetFree(free, now)) state_->changed.notify_all();
  std::vector<UnusableDevice> unusable = state_->watch.Unusable(now);
  std::erase_if(unusable, [&](const UnusableDevice& device) {
    return std::find(free.begin(), free.end(), device.id) == free.end();
  });
  return unusable;
}

std::vector<UnusableDevice> GpuMonitor::Unusable() const {
  MutexLock lock(state_->mu);
  return state_->watch.Unusable(state_->clock.Steady());
}

}  // namespace vernier
