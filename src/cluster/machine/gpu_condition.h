#ifndef VERNIER_CLUSTER_MACHINE_GPU_CONDITION_H_
#define VERNIER_CLUSTER_MACHINE_GPU_CONDITION_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// The state of a GPU or MIG instance as its driver reports it.
struct GpuCondition {
  struct Process {
    int pid = 0;
    std::string name;  ///< Empty: unknown, such as in another container.
  };

  /// The library's error message if the GPU does not answer; empty if it does.
  std::string failure;
  /// Uncorrectable memory errors since the driver was loaded.
  std::int64_t uncorrected_errors = 0;
  bool needs_reset = false;    ///< To take bad memory out of use.
  bool needs_service = false;  ///< Bad memory that cannot be taken out of use.
  std::vector<Process> compute;  ///< That compute on it.
  bool has_graphics = false;     ///< Some process draws with it.
  /// Memory in use, beyond what the driver needs; unset if unknown.
  std::optional<std::int64_t> used_bytes;
  std::int64_t total_bytes = 0;  ///< 0: unknown.
};

/// The decision whether a GPU may be used.
struct GpuVerdict {
  enum class Kind {
    kUsable,
    kBusy,  ///< Not yet: something holds it that may let go.
    kSick,  ///< Not before somebody has seen to it.
  };
  Kind kind = Kind::kUsable;
  /// The rest of a sentence about the GPU: "is used by process 41 (python3)".
  /// Empty for kUsable.
  std::string reason;

  friend bool operator==(const GpuVerdict&, const GpuVerdict&) = default;
};

/// The rules for judging a GPU.
struct GpuPolicy {
  /// If true, a GPU may be leased even if processes of others use it or hold
  /// its memory.
  bool ignores_others = false;
  /// How long memory that no process owns may be in use before the GPU counts
  /// as sick. A driver frees memory only some time after a process's end.
  std::chrono::milliseconds memory_patience{60000};
};

/// Judges a GPU without a lease, which has been busy for `busy_for`. Pure.
GpuVerdict JudgeFreeGpu(const GpuCondition& condition, const GpuPolicy& policy,
                        std::chrono::milliseconds busy_for);

/// Judges a GPU that a trial uses: kUsable or kSick. Pure.
GpuVerdict JudgeLeasedGpu(const GpuCondition& condition);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_GPU_CONDITION_H_
