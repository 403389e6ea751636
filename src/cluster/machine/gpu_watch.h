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

/// Decides when each GPU is due for a check, and keeps the results. A GPU whose
/// lease has ended is usable only after a check that began later. This class
/// only decides; its owner checks. Not thread-safe.
class GpuWatch {
 public:
  struct Periods {
    /// The time between two checks of a GPU that is well, or sick; > 0.
    std::chrono::milliseconds calm{5000};
    /// The first pause between checks of a busy GPU. It doubles each time up to
    /// a second or `calm`, whichever is less; > 0.
    std::chrono::milliseconds first{2};
    /// A check that takes longer than this has failed: the driver hangs.
    std::chrono::milliseconds look_limit{10000};
  };

  GpuWatch(const std::vector<std::string>& ids, GpuPolicy policy,
           Periods periods);

  /// Sets which GPUs have no lease; the others do. Returns whether NextTime may
  /// be earlier than before.
  bool SetFree(const std::vector<std::string>& free, SteadyTime now);
  /// Returns the GPU to check now, if any. Call Took when its check is done.
  std::optional<std::string> Next(SteadyTime now);
  /// Returns when Next will have one; unset if not before something changes.
  std::optional<SteadyTime> NextTime() const;
  /// Takes the result of a check of `id`. Returns whether that changes
  /// Unusable.
  bool Took(const std::string& id, const GpuCondition& condition,
            SteadyTime now);

  /// Returns the GPUs that must not be leased, and leased ones that are sick.
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
    /// Its lease changed during the check, so the result is void.
    bool is_stale = false;
  };

  const GpuPolicy policy_;
  const Periods periods_;
  std::map<std::string, Entry> entries_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_GPU_WATCH_H_
