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

/// Looks at a GPU. May take long, for ever if its driver hangs. Called from one
/// thread.
using ExamineGpu = std::function<GpuCondition(const std::string& id)>;

/// Watches GPUs from a thread of its own, which a driver that hangs cannot keep
/// anybody from ending. Thread-safe.
class GpuMonitor {
 public:
  struct Options {
    GpuPolicy policy;
    GpuWatch::Periods periods;
    /// Called from the thread when Unusable may return something else.
    std::function<void()> on_change;
  };

  GpuMonitor(const std::vector<std::string>& ids, ExamineGpu examine,
             Options options);
  /// Does not wait for a look that is under way for longer than a moment; the
  /// thread then ends by itself, and calls nothing of the options any more.
  ~GpuMonitor();

  /// Sets which GPUs have no lease, and returns those of them that must not be
  /// leased now.
  std::vector<UnusableDevice> Check(const std::vector<std::string>& free);
  /// Those of all GPUs that are sick or, without a lease, unusable.
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
