#ifndef VERNIER_CLUSTER_SLURM_JOB_STATE_H_
#define VERNIER_CLUSTER_SLURM_JOB_STATE_H_

#include <string>
#include <string_view>

namespace vernier {

/// The meaning of Slurm's word for a job's state.
enum class SlurmState {
  kPending,      ///< Waits to be started.
  kRunning,      ///< Or any state that is not final, also an unknown one.
  kCompleted,    ///< From here on final.
  kFailed,       ///< Its script ended with another status than 0.
  kCancelled,    ///< By a user, an administrator or Slurm itself.
  kTimeLimit,    ///< TIMEOUT and DEADLINE.
  kNodeFailed,   ///< NODE_FAIL and BOOT_FAIL.
  kPreempted,    ///< PREEMPTED and REVOKED.
  kOutOfMemory,  ///< OUT_OF_MEMORY.
};

/// Parses a state as squeue or sacct writes it: "RUNNING", "CANCELLED by 1000".
/// Pure.
SlurmState StateOfWord(std::string_view word);

constexpr bool IsFinal(SlurmState state) {
  return state >= SlurmState::kCompleted;
}

/// Explains the reason why a job is pending to people: "Priority (other jobs
/// come first)". Unknown reasons are returned unchanged.
std::string DescribePendingReason(const std::string& reason);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_JOB_STATE_H_
