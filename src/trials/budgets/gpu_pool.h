#ifndef VERNIER_TRIALS_BUDGETS_GPU_POOL_H_
#define VERNIER_TRIALS_BUDGETS_GPU_POOL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/records.h"
#include "study/devices/device.h"
#include "study/job_spec.h"

namespace vernier {

/// The need of one attempt for GPUs of this machine.
struct GpuNeed {
  int gpus = 0;  ///< Over all replicas.
  /// The memory in MB that it needs of each GPU, which it shares with others; 0
  /// if it needs whole GPUs.
  std::int64_t memory_mb = 0;
  /// CUDA_VISIBLE_DEVICES of the job; unset: any GPU will do.
  std::optional<std::string> visible = std::nullopt;
  /// Some replica needs several GPUs. MIG instances will not do for it, because
  /// CUDA shows a process only one of them.
  bool needs_undivided = false;
};

/// Returns the need of an attempt of the job; none if it runs on a cluster.
GpuNeed GpuNeedOf(const JobSpec& spec);

/// Returns how many of an attempt's leases would serve `need` if they ended. A
/// share serves no need of a whole GPU, because others may hold the rest.
int ServingLeases(const std::vector<DeviceId>& leases, const GpuNeed& need);

/// The GPUs of this machine and their leases; plans take from it as they are
/// made. A value; nothing here waits or accesses a GPU.
class GpuPool {
 public:
  GpuPool() = default;
  /// `all` in the machine's order. With `checks_released`, a GPU that is given
  /// back must be examined first, so that this plan cannot have it.
  explicit GpuPool(const std::vector<Device>& all,
                   bool checks_released = false);

  /// Notes the lease of a live attempt. A lease of a GPU that the machine no
  /// longer has is ignored.
  void Hold(const DeviceId& lease);
  /// Ends a lease. Returns false if this plan cannot have its GPU.
  bool GiveBack(const DeviceId& lease);
  /// Excludes a GPU that cannot be used now.
  void Exclude(const UnusableDevice& unusable);
  /// Keeps the free GPUs that would serve `need`, which by Lack cannot be met
  /// yet, so that GPUs gather for it and nobody else gets them. Does nothing if
  /// sick GPUs would make the wait endless.
  void Reserve(const GpuNeed& need);

  /// Takes GPUs for an attempt and returns their leases; nullopt if there are
  /// too few, and none is taken then. It takes others than `avoided` if there
  /// are enough. Whole GPUs are taken so that those of one attempt are linked
  /// with each other, and that groups of linked ones stay whole for the next.
  /// Shares are taken so that few GPUs are shared; those of one attempt are on
  /// different GPUs.
  std::optional<std::vector<DeviceId>> Take(
      const GpuNeed& need, const std::set<std::string>& avoided = {});

  /// Returns how many GPUs must become free before Take can meet `need`.
  int Lack(const GpuNeed& need) const;
  /// Returns how many GPUs `need` could have if nobody else had any.
  int Most(const GpuNeed& need) const;
  /// Returns the ids of the GPUs of which nobody holds a part.
  std::vector<std::string> Unleased() const;
  /// Says why some GPUs are given to nobody: "GPU-1 has fallen off the bus";
  /// empty if there are none such.
  std::string Troubles() const;

  int size() const { return static_cast<int>(slots_.size()); }
  /// Returns the largest memory of a GPU, in MB; 0: unknown.
  std::int64_t LargestMemory() const;

 private:
  struct Slot {
    Device device;
    bool is_held = false;
    std::map<int, std::int64_t> shares;  ///< MB, by number.
    bool is_reserved = false;
    bool is_sick = false;
    std::string trouble;  ///< Not empty: excluded.
  };

  const Slot* Find(const std::string& device) const;
  Slot* Find(const std::string& device);
  std::int64_t FreeMemory(const Slot& slot) const;
  bool Fits(const Slot& slot, const GpuNeed& need) const;
  /// Returns the positions of the GPUs that would do and that the need's job
  /// may see, in the job's order.
  std::vector<std::size_t> Visible(const GpuNeed& need) const;
  std::vector<std::size_t> Candidates(const GpuNeed& need) const;
  bool AreNeighbours(std::size_t a, std::size_t b) const;
  std::vector<std::size_t> ChooseLinked(
      const std::vector<std::size_t>& candidates, std::size_t count,
      const std::set<std::string>& avoided) const;
  std::vector<std::size_t> ChooseShared(
      std::vector<std::size_t> candidates, std::size_t count,
      const std::set<std::string>& avoided) const;

  std::vector<Slot> slots_;
  std::vector<DeviceId> ids_;  // Of slots_.
  bool has_topology_ = false;
  bool checks_released_ = false;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_BUDGETS_GPU_POOL_H_
