#ifndef VERNIER_CLUSTER_MACHINE_GPU_MONITOR_H_
#define VERNIER_CLUSTER_MACHINE_GPU_MONITOR_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/machine/gpu_condition.h"
#include "cluster/machine/gpu_watch.h"
#include "study/devices/device.h"

namespace vernier {

/// Examines a GPU. May take long, or forever if its driver hangs. Called from
/// one thread.
using ExamineGpu = std::function<GpuCondition(const std::string& id)>;

/// Checks GPUs from a thread of its own, so that a driver that hangs blocks no
/// one, not even the destructor. Thread-safe.
class GpuMonitor {
 public:
  struct Options {
    GpuPolicy policy;
    GpuWatch::Periods periods;
    /// Called from the monitor's thread when the result of Unusable may have
    /// changed.
    std::function<void()> on_change;
  };

  GpuMonitor(const std::vector<std::string>& ids, ExamineGpu examine,
             Options options);
  /// Waits at most a moment for a running check. If that takes longer, the
  /// thread ends by itself later and no longer calls any of the options.
  ~GpuMonitor();

  /// Sets which GPUs have no lease, and returns those of them that must not be
  /// leased now.
  std::vector<UnusableDevice> Check(const std::vector<std::string>& free);
  /// Returns the GPUs that are sick, and those without a lease that are
  /// unusable.
  std::vector<UnusableDevice> Unusable() const;

 private:
  struct State;

  static std::optional<std::string> AwaitNext(State& state);
  static bool Take(State& state, const std::string& id,
                   const GpuCondition& condition);
  static void Run(const std::shared_ptr<State>& state);

  const std::shared_ptr<State> state_;  // The thread's, too.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_GPU_MONITOR_H_
