#ifndef VERNIER_CLUSTER_GANG_GANG_RUN_H_
#define VERNIER_CLUSTER_GANG_GANG_RUN_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "cluster/attempt/exit_record.h"
#include "cluster/containers/replica_containers.h"
#include "cluster/log_times.h"
#include "cluster/process/process_gang.h"
#include "cluster/replica_log.h"

namespace vernier {

/// Runs one gang from start to end in the calling process. The process must
/// have one thread, be a child subreaper, and have called BlockGangSignals.
///
///   running --(a replica decides, or SIGTERM)--> ending --> killing --> over
///
/// `ending` gives the others the grace period after SIGTERM. `killing` kills
/// all descendants of this process, so that at `over` no process of the gang is
/// left. Not thread-safe.
class GangRun {
 public:
  struct Options {
    std::string attempt_dir;
    std::string work_dir;
    /// The time between SIGTERM and SIGKILL, unless the kill request gives
    /// another.
    std::chrono::milliseconds grace{10000};
    std::int64_t log_cap_bytes = 64 << 20;
    std::function<void()> on_all_run;  ///< Called once all programs run.
    /// Called now and then; true ends the gang as SIGTERM does. Null: never.
    std::function<bool()> stop_asked = nullptr;
    /// The containers of replicas that run StartProgram; null: none. Borrowed.
    ReplicaContainers* containers = nullptr;
  };

  GangRun(Options options, const Clock& clock);

  /// Starts the programs and returns when none of their processes is left. The
  /// record lacks only the nonce.
  ExitRecord Run(const std::vector<ReplicaProgram>& programs);

 private:
  enum class Phase { kRunning, kEnding, kKilling };

  absl::Status Start(const std::vector<ReplicaProgram>& programs);
  void Poll();
  void TakeSignals();
  void Reap();
  void NoteStart();
  void Judge();
  void RequestStop();
  void BeginEnding(std::chrono::milliseconds grace);
  bool IsEndingOver() const;
  bool IsContainer(std::size_t position) const;
  ReplicaEnd EndOf(std::size_t position, int status) const;
  void JudgeContainer();
  void KillDescendants();
  void PumpOutput(std::size_t position, int max_reads);
  void DrainOutputs();
  void Finish(SteadyTime started);

  const Options options_;
  const Clock& clock_;
  std::vector<ReplicaProgram> const* programs_ = nullptr;
  UniqueFd signals_;
  std::optional<ProcessGang> gang_;
  std::vector<ReplicaLogWriter> logs_;
  std::vector<LogTimesWriter> log_times_;
  std::vector<std::optional<ReplicaEnd>> ends_;
  Phase phase_ = Phase::kRunning;
  bool all_run_ = false;
  bool has_children_ = true;
  SteadyTime deadline_{};  // Of the phase kEnding.
  std::optional<std::int64_t> oom_kills_before_;
  ExitRecord record_;
};

/// Blocks the signals that GangRun reads with signalfd, and ignores SIGHUP and
/// SIGPIPE.
void BlockGangSignals();

}  // namespace vernier

#endif  // VERNIER_CLUSTER_GANG_GANG_RUN_H_
