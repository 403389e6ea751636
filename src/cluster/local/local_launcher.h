#ifndef VERNIER_CLUSTER_LOCAL_LOCAL_LAUNCHER_H_
#define VERNIER_CLUSTER_LOCAL_LOCAL_LAUNCHER_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "cluster/attempt/launch_preparation.h"
#include "cluster/containers/container_engine.h"
#include "cluster/containers/container_sweep.h"
#include "cluster/local/attempt_inspection.h"
#include "cluster/machine/gpu_condition.h"
#include "cluster/machine/gpu_monitor.h"
#include "cluster/process/wakeable_epoll.h"
#include "trials/jobs/launcher.h"

namespace vernier {

struct LocalLauncherOptions {
  /// The program that supervises an attempt as `BINARY supervise ATTEMPT_DIR`.
  std::string binary = "/proc/self/exe";
  ResolveResources resolve;
  /// The setting for FindGpus: "" (detect them), "none", "fake:N" or ids.
  std::string gpus;
  GpuPolicy gpu_policy;
  std::int64_t log_cap_bytes = 64 << 20;  ///< Per replica; >= 64 KiB.
  ContainerSettings containers;           ///< For replicas with an image.
  /// The time that a supervisor may take to end its gang, beyond the grace
  /// period of a Kill, before it is killed itself; > 0.
  std::chrono::milliseconds kill_margin{20000};
  /// The interval at which a supervisor gets SIGCONT, in case its program has
  /// stopped it; > 0.
  std::chrono::milliseconds continue_period{5000};
};

/// Returns OK, or an error such as "log_cap_bytes must be >= 65536: 5".
absl::Status Validate(const LocalLauncherOptions& options);

/// Runs attempts as processes of this machine; replicas with an image run in
/// containers. Each gang has its own supervisor process, which outlives this
/// object and this process; a later launcher finds it again. docs/launching.md
/// describes the protocol. Not thread-safe except for Wake: one orchestrator
/// owns it. An attempt costs nothing while nothing happens to it.
class LocalLauncher final : public Launcher {
 public:
  /// Detects GPUs, which may take seconds. `clock` must outlive the launcher.
  /// Errors: INVALID_ARGUMENT; or an errno's code.
  static absl::StatusOr<std::unique_ptr<LocalLauncher>> Create(
      LocalLauncherOptions options, const Clock& clock);
  ~LocalLauncher() override;

  /// Makes Wait return whenever `fd` becomes readable again (edge-triggered).
  /// `fd` remains the caller's and must outlive the launcher; -1 means no
  /// descriptor, and is OK.
  absl::Status AddWakeFd(int fd);

  absl::Status Launch(const LaunchRequest& request) override;
  absl::Status Kill(const LiveAttempt& attempt,
                    std::chrono::milliseconds grace) override;
  std::vector<AttemptObservation> Observe(
      const std::vector<LiveAttempt>& live) override;
  void Forget(const AttemptKey& attempt) override;
  std::vector<Device> Devices() const override { return devices_; }
  bool ChecksDevices() const override { return gpu_monitor_ != nullptr; }
  std::vector<UnusableDevice> UnusableDevices(
      const std::vector<std::string>& free) override;
  /// Returns the GPUs that are sick, and those without a lease that are
  /// unusable. Thread-safe.
  std::vector<UnusableDevice> GpuTroubles() const;
  void Wait(std::chrono::milliseconds timeout) override;
  void Wake() override;

 private:
  struct Attempt {
    LiveAttempt identity;
    AttemptObservation observation;
    SteadyTime started;      ///< Of the gang, once it runs.
    SteadyTime continue_at;  ///< When to send the supervisor SIGCONT next.
    UniqueFd supervisor;     ///< pidfd; closed once it has ended.
    UniqueFd status;         ///< Readable when all replicas run, then closed.
    bool is_child = false;   ///< This process must reap it.
    bool is_killed = false;  ///< A Kill still has to reach the supervisor.
    /// The time after a Kill at which the gang is killed by force.
    std::optional<SteadyTime> kill_deadline;
    bool is_forced = false;  ///< kill_deadline has passed.
    /// It has no supervisor that could report its end, so it must be polled.
    bool needs_look = false;
    /// Set while its processes are being killed: the observation to report once
    /// there are none.
    std::optional<AttemptObservation> once_swept;
  };

  LocalLauncher(LocalLauncherOptions options, const Clock& clock);

  void WatchGpus(const std::string& nvml_library);
  absl::Status Spawn(Attempt& attempt);
  Attempt& Find(const LiveAttempt& attempt);
  void Inspect(Attempt& attempt);
  void Adopt(Attempt& attempt, const ClaimContent& content);
  void SendKill(Attempt& attempt);
  void TakeEvents(int timeout_ms);
  void TakeEvent(int fd);
  void TakeStatus(Attempt& attempt);
  void TakeSupervisorEnd(Attempt& attempt);
  // These handle attempts that cannot report by themselves, because their
  // supervisor is dead, stopped, or out of reach.
  void TakeInspection(Attempt& attempt, const AttemptInspection& inspection);
  void SweepFor(Attempt& attempt, AttemptObservation::Kind kind,
                const std::string& message);
  std::chrono::milliseconds LookInterval() const;
  void LookAgain();
  void Sweep();
  void Continue(Attempt& attempt, SteadyTime now);
  void EndByForce();

  const LocalLauncherOptions options_;
  const Clock& clock_;  // Thread-safe.
  std::string boot_id_;
  std::vector<Device> devices_;
  std::vector<std::string> spawn_environment_;
  const Environment engine_environment_;
  ContainerSweep containers_;
  WakeableEpoll epoll_;
  std::map<AttemptKey, Attempt> attempts_;
  std::map<int, AttemptKey> by_fd_;   // Supervisor and status descriptors.
  std::map<int, UniqueFd> unreaped_;  // Forgotten children, by pidfd.
  std::set<AttemptKey> to_look_at_;   // Those with needs_look.
  SteadyTime last_look_{};
  // The last member, since its thread calls Wake. Null if no GPU can be
  // queried.
  std::unique_ptr<GpuMonitor> gpu_monitor_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_LOCAL_LAUNCHER_H_
