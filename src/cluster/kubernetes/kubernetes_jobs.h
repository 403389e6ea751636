#ifndef VERNIER_CLUSTER_KUBERNETES_KUBERNETES_JOBS_H_
#define VERNIER_CLUSTER_KUBERNETES_KUBERNETES_JOBS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "cluster/kubernetes/attempt_mark.h"
#include "cluster/kubernetes/gang_conclusion.h"
#include "cluster/kubernetes/kubernetes_api.h"
#include "cluster/kubernetes/kubernetes_settings.h"
#include "cluster/kubernetes/log_tails.h"
#include "cluster/kubernetes/object_specs.h"
#include "cluster/kubernetes/object_tracker.h"
#include "cluster/kubernetes/object_watches.h"
#include "cluster/kubernetes/pod_gang.h"
#include "cluster/replica.h"

namespace vernier {

/// The attempt that a gang's objects belong to.
struct GangOwner {
  std::string name;  ///< GangName's.
  std::string nonce;
  std::string attempt_dir;
  std::vector<ReplicaId> replicas;
};

/// The way in which a gang must end.
struct GangEnding {
  bool must_delete = false;  ///< Its objects, too.
  SteadyTime deadline{};     ///< Of its programs.
  std::optional<KeptVerdict> verdict;
  bool is_noted = false;  ///< The verdict is on disk.
};

/// Creates, watches and deletes a service's gangs in Kubernetes, and copies
/// their logs. Its own thread makes the calls, so that no caller waits for an
/// API server. Thread-safe.
class KubernetesJobs {
 public:
  struct Dependencies {
    std::unique_ptr<KubernetesApi> api;
    const Clock& clock;
    /// Called by the thread, without a lock, when something may have changed.
    std::function<void()> on_change;
    /// Receives one line for the service's log; called likewise.
    std::function<void(const std::string&)> log;
  };
  struct Options {
    KubernetesSettings settings;
    std::string instance;
    std::string name_space;  ///< Where objects of jobs that name none are.
    std::int64_t log_cap_bytes = 0;
  };

  /// The server is not called before the first request.
  KubernetesJobs(Dependencies dependencies, Options options);
  /// Ends the thread, and any running call.
  ~KubernetesJobs();

  /// Makes a gang's objects. From here on only the thread writes the attempt's
  /// mark.
  void Start(GangOwner owner, PodGang gang);
  /// Follows a gang that an earlier service may have begun, and revokes it if
  /// it never came into being. `gang` is used to make objects that are missing;
  /// unset if it is no longer known.
  void Adopt(GangOwner owner, const AttemptMark& mark,
             std::optional<PodGang> gang);
  /// Notes that all programs of the gang were seen running.
  void NoteRuns(const std::string& name);
  /// Ends the gang: SIGTERM now, SIGKILL after `grace`. With a verdict, or if
  /// it was killed, its objects are deleted, too, once the verdict is on disk.
  /// Objects that do not exist yet are never made. This is repeated until it is
  /// done; a later call can only add the deletion.
  void End(const std::string& name, std::chrono::milliseconds grace,
           bool must_delete, std::optional<KeptVerdict> verdict);
  /// Forgets a gang once its end is stored, after deleting its objects.
  void Drop(const std::string& name);
  /// Declares that all gangs that should be alive are known from now on.
  /// Foreign objects (those of this instance that belong to none of them) are
  /// deleted after a while.
  void DeleteStrangers();

  GangView Of(const std::string& name) const;

 private:
  struct Gang {
    GangOwner owner;
    AttemptMark mark;
    std::optional<PodGang> objects;  ///< Until all are made.
    GangView::Stage stage = GangView::Stage::kWaiting;
    std::string words;
    std::string warning;
    bool may_exist = false;  ///< A call of which the outcome is not known.
    bool was_seen = false;   ///< The primary object, once.
    bool is_gone = false;
    bool runs_noted = true;
    bool is_dropped = false;
    bool logs_are_read = true;
    std::string log_trouble;
    bool is_adopted = false;  ///< From an earlier process of the service.
    SteadyTime next_try{};
    std::optional<SteadyTime> missing_since;
    SteadyTime next_warning{};
    std::optional<GangEnding> end;
  };

  void Run();
  void Turn();
  void StepGang(const std::string& name);
  void Create(Gang gang);
  void TakeCreation(const Gang& gang, const ApiReply& reply);
  void MakeDependents(Gang gang);
  void LookFor(Gang gang);
  void TakeLook(const Gang& gang, const ApiReply& reply);
  void RevokeByName(const Gang& gang);
  void EndRunning(Gang gang);
  void DeletePrimary(const Gang& gang);
  bool DeleteOtherJobs(const Gang& gang);
  void AskForWarning(const Gang& gang);
  void TurnLogs();
  void TurnStrangers();
  absl::Status FindKind();

  absl::StatusOr<ApiReply> Call(const ApiRequest& request);
  bool Mark(const std::string& name, const AttemptMark& mark);
  void Change(const std::string& name,
              const std::function<void(Gang&)>& change);
  std::optional<Gang> Copy(const std::string& name) const;
  std::set<ObjectScope> Scopes() const;
  ObjectScope ScopeOf(const Gang& gang) const;
  PrimaryObject PrimaryOfGang(const Gang& gang) const;
  GangView ViewOf(const Gang& gang) const VERNIER_REQUIRES(mu_);
  void Until(SteadyTime time);
  void NoteTrouble(const std::string& words);
  void Wake();

  const Options options_;
  const std::unique_ptr<KubernetesApi> api_;  // Of the thread; Wake of any.
  const Clock& clock_;                        // Thread-safe.
  const std::function<void()> on_change_;
  const std::function<void(const std::string&)> log_;

  // Only the thread uses these.
  std::optional<GangKind> kind_;
  ObjectWatches watches_;
  LogTails tails_;
  std::map<std::string, SteadyTime> strangers_;
  SteadyTime next_{};           // When something is due.
  SteadyTime trouble_until_{};  // The server does not answer.
  bool has_changed_ = false;

  mutable Mutex mu_;
  std::map<std::string, Gang> gangs_ VERNIER_GUARDED_BY(mu_);
  ObjectTracker tracker_ VERNIER_GUARDED_BY(mu_);
  std::string trouble_ VERNIER_GUARDED_BY(mu_);
  bool deletes_strangers_ VERNIER_GUARDED_BY(mu_) = false;
  std::atomic<bool> is_stopping_{false};
  std::thread thread_ VERNIER_GUARDED_BY(mu_);  // Started by a request.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_KUBERNETES_KUBERNETES_JOBS_H_
