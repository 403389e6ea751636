#ifndef VERNIER_CLUSTER_MACHINE_GPU_CONDITION_H_
#define VERNIER_CLUSTER_MACHINE_GPU_CONDITION_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// What a GPU, or a MIG instance of one, says of itself.
struct GpuCondition {
  struct Process {
    int pid = 0;
    std::string name;  ///< Empty: unknown, such as in another container.
  };

  /// Why it does not answer, in its library's words; empty: it does.
  std::string failure;
  /// Memory errors since its driver was loaded that could not be corrected.
  std::int64_t uncorrected_errors = 0;
  bool needs_reset = false;    ///< To take bad memory out of use.
  bool needs_service = false;  ///< Bad memory that cannot be taken out of use.
  std::vector<Process> compute;  ///< That compute on it.
  bool has_graphics = false;     ///< Some process draws with it.
  /// In use, beyond what its driver needs; unset: unknown.
  std::optional<std::int64_t> used_bytes;
  std::int64_t total_bytes = 0;  ///< 0: unknown.
};

/// Whether a GPU that nobody has leased may be.
struct GpuVerdict {
  enum class Kind {
    kUsable,
    kBusy,  ///< Not yet: something holds it that may let go.
    kSick,  ///< Not before somebody has seen to it.
  };
  Kind kind = Kind::kUsable;
  /// The rest of a sentence: "is used by process 41 (python3)". Empty for
  /// kUsable.
  std::string reason;

  friend bool operator==(const GpuVerdict&, const GpuVerdict&) = default;
};

/// How a GPU is judged.
struct GpuPolicy {
  /// Processes of others do not keep a GPU from being leased, and neither does
  /// the memory that they hold.
  bool ignores_others = false;
  /// How long memory may be in use that no process owns, as a driver frees it
  /// after the end of a process; after that the GPU is sick.
  std::chrono::milliseconds memory_patience{60000};
};

/// Judges a GPU without a lease, which has been busy for `busy_for`. Pure.
GpuVerdict JudgeFreeGpu(const GpuCondition& condition, const GpuPolicy& policy,
                        std::chrono::milliseconds busy_for);

/// Judges one that a trial uses: kUsable or kSick. Pure.
GpuVerdict JudgeLeasedGpu(const GpuCondition& condition);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_MACHINE_GPU_CONDITION_H_
