#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_LAUNCHER_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_LAUNCHER_H_

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
#include "cluster/kubernetes/gang_conclusion.h"
#include "cluster/kubernetes/kubernetes_api.h"
#include "cluster/kubernetes/kubernetes_jobs.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/local/exit_record.h"
#include "cluster/local/launch_preparation.h"
#include "cluster/process/wakeable_epoll.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Runs each attempt as one JobSet of a Kubernetes cluster, or as Jobs where
/// the cluster has no JobSets. Each decision about an attempt is on disk before
/// the API server is called, and an attempt's objects have a name that no other
/// attempt uses. It leases no devices: Kubernetes does. Not thread-safe except
/// for Wake: one orchestrator owns it.
class KubernetesLauncher final : public Launcher {
 public:
  struct Options {
    KubernetesSettings settings;
    std::string instance;    ///< 8 hex digits, the same forever.
    std::string name_space;  ///< Where objects of jobs that name none are.
    ResolveResources resolve;
    std::int64_t log_cap_bytes = std::int64_t{64} << 20;  ///< Per replica.
    /// Called from another thread when Observe may have news; may be null.
    std::function<void()> on_change;
    /// Receives one line for the service's log, from another thread; may be
    /// null.
    std::function<void(const std::string&)> log;
  };

  /// `api` is the connection to the API server. `clock` must outlive the
  /// launcher. Errors: INVALID_ARGUMENT; or an errno's code.
  static absl::StatusOr<std::unique_ptr<KubernetesLauncher>> Create(
      Options options, std::unique_ptr<KubernetesApi> api, const Clock& clock);
  ~KubernetesLauncher() override;

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
    std::string name;  ///< GangName's.
    std::vector<ReplicaId> replicas;
    std::chrono::milliseconds kill_grace{0};  ///< The job's.
    SteadyTime started{};                     ///< Once all of it runs.
    bool gang_ran = false;
    bool is_killed = false;
    std::optional<SteadyTime> image_missing_since;
    /// The conclusion to report once nothing of the gang runs any more.
    std::optional<GangConclusion> pending;
    SteadyTime end_limit{};  ///< Of waiting for that, if a program decided.
    bool is_followed = false;
    std::string phase;  ///< NoteLaunchPhase's last.
  };

  KubernetesLauncher(Options options, const Clock& clock);

  absl::Status Submit(const LaunchRequest& request, Attempt& attempt);
  Attempt& Find(const LiveAttempt& attempt);
  void Adopt(Attempt& attempt);
  std::optional<PodGang> PlanAgain(Attempt& attempt) const;
  void Look(Attempt& attempt, SteadyTime now);
  void TakeStart(Attempt& attempt, const GangView& view, SteadyTime now);
  void Settle(Attempt& attempt, const GangView& view, SteadyTime now);
  void Finish(Attempt& attempt, const GangView& view, SteadyTime now);
  void TakeLost(Attempt& attempt, const GangConclusion& end);
  void TellPhase(Attempt& attempt, const std::string& phase);
  GangOwner OwnerOf(const Attempt& attempt) const;

  const Options options_;
  const Clock& clock_;  // Thread-safe.
  WakeableEpoll epoll_;
  std::map<AttemptKey, Attempt> attempts_;
  std::unique_ptr<KubernetesJobs> jobs_;  // Does its own locking.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_LAUNCHER_H_
