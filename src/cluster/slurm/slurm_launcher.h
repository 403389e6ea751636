#ifndef VERNIER_CLUSTER_SLURM_SLURM_LAUNCHER_H_
#define VERNIER_CLUSTER_SLURM_SLURM_LAUNCHER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cluster/local/launch_preparation.h"
#include "cluster/process/wakeable_epoll.h"
#include "cluster/slurm/cluster_probe.h"
#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/slurm_jobs.h"
#include "cluster/slurm/slurm_settings.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Runs attempts as jobs of a Slurm cluster: one job per attempt, with one step
/// per role. Attempts' folders must be on a file system that the nodes share,
/// at the same path. docs/cluster-protocols.md describes the protocol. Not
/// thread-safe except for Wake: one orchestrator owns it.
class SlurmLauncher final : public Launcher {
 public:
  struct Options {
    SlurmSettings settings;
    /// Distinguishes this service's jobs from those of others: 8 hex digits.
    std::string instance;
    ResolveResources resolve;
    std::int64_t log_cap_bytes = 64 << 20;  ///< Per replica; >= 64 KiB.
    /// Called from another thread when something may have changed; may be null.
    std::function<void()> on_change;
    /// Receives one line for the service's log, from another thread; may be
    /// null.
    std::function<void(const std::string&)> log;
  };

  /// `client` makes the calls to Slurm. `clock` must outlive the launcher.
  /// Errors: INVALID_ARGUMENT; or an errno's code.
  static absl::StatusOr<std::unique_ptr<SlurmLauncher>> Create(
      Options options, std::unique_ptr<SlurmClient> client, const Clock& clock);

  /// Starts to check whether the nodes see `data_dir` and reach `url`, which
  /// may be empty. Launch is UNAVAILABLE while they cannot run jobs. Call it
  /// once, at the start.
  void BeginProbe(const std::string& data_dir, const std::string& url,
                  std::unique_ptr<SlurmClient> client);
  ~SlurmLauncher() override;

  absl::Status Launch(const LaunchRequest& request) override;
  absl::Status Kill(const LiveAttempt& attempt,
                    std::chrono::milliseconds grace) override;
  std::vector<AttemptObservation> Observe(
      const std::vector<LiveAttempt>& live) override;
  void Forget(const AttemptKey& attempt) override;
  std::vector<Device> Devices() const override { return {}; }
  void Wait(std::chrono::milliseconds timeout) override;
  void Wake() override;

 private:
  struct Attempt {
    LiveAttempt identity;
    AttemptObservation observation;
    std::string name;        ///< Of its job.
    SteadyTime started{};    ///< Of the gang, once it runs.
    SteadyTime next_look{};  ///< At its files.
    std::optional<SteadyTime> job_over_since;
    std::string heartbeat;  ///< The last that was seen once the job was over,
    SteadyTime beat_at{};   ///< and when it was first seen.
    bool gang_ran = false;
    bool is_killed = false;
    std::optional<SteadyTime> kill_deadline;
    std::string phase;  ///< NoteLaunchPhase's last.
  };

  SlurmLauncher(Options options, const Clock& clock);

  absl::Status Submit(const LaunchRequest& request, Attempt& attempt);
  Attempt& Find(const LiveAttempt& attempt);
  void Adopt(Attempt& attempt);
  void Look(Attempt& attempt, SteadyTime now);
  bool TakeRecord(Attempt& attempt);
  void TakeStart(Attempt& attempt, SteadyTime now);
  bool IsBeating(Attempt& attempt, SteadyTime now);
  void TakeEnd(Attempt& attempt, const JobView& job, SteadyTime now);
  void TellPhase(Attempt& attempt, const std::string& phase);
  std::string WaitOf(const JobView& job) const;
  absl::Status MayLaunch() const;
  void NoteChange();
  void EndByForce(Attempt& attempt, SteadyTime now);

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  WakeableEpoll epoll_;
  std::map<AttemptKey, Attempt> attempts_;
  std::unique_ptr<SlurmJobs> jobs_;      // Does its own locking.
  std::unique_ptr<ClusterProbe> probe_;  // Likewise; may be null.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_LAUNCHER_H_
