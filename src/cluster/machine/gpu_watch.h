#ifndef VERNIER_CLUSTER_MACHINE_GPU_WATCH_H_
#define VERNIER_CLUSTER_MACHINE_GPU_WATCH_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/machine/gpu_condition.h"
#include "study/devices/device.h"

namespace vernier {

/// Which GPUs are to be looked at when, and what was found: a GPU whose lease
/// has ended is usable only once it was looked at after that. Decides only; its
/// owner looks. Not thread-safe.
class GpuWatch {
 public:
  struct Periods {
    /// Between two looks at a GPU that is well, or sick; > 0.
    std::chrono::milliseconds calm{5000};
    /// The first pause between looks at one that is busy; doubled each time up
    /// to a second, or `calm`; > 0.
    std::chrono::milliseconds first{2};
    /// After so long a look has failed: its driver hangs.
    std::chrono::milliseconds look_limit{10000};
  };

  GpuWatch(const std::vector<std::string>& ids, GpuPolicy policy,
           Periods periods);

  /// Sets which GPUs have no lease; the others do. True if NextTime may be
  /// earlier than before.
  bool SetFree(const std::vector<std::string>& free, SteadyTime now);
  /// The GPU to look at now, if any; call Took when that is done.
  std::optional<std::string> Next(SteadyTime now);
  /// When Next will have one; unset: not before something changes.
  std::optional<SteadyTime> NextTime() const;
  /// Takes what a look at `id` found. True if that changes Unusable.
  bool Took(const std::string& id, const GpuCondition& condition,
            SteadyTime now);

  /// Those of all GPUs that must not be leased, and leased ones that are sick.
  std::vector<UnusableDevice> Unusable(SteadyTime now) const;

 private:
  struct Entry {
    bool is_free = false;
    bool is_known = false;  ///< Looked at since its last lease.
    GpuVerdict verdict;
    SteadyTime next_look{};
    std::chrono::milliseconds pause{0};
    std::optional<SteadyTime> busy_since;
    std::optional<SteadyTime> look_began;
    /// Its lease changed during the look, which then tells nothing.
    bool is_stale = false;
  };

  const GpuPolicy policy_;
  const Periods periods_;
  std::map<std::string, Entry> entries_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_GPU_WATCH_H_
