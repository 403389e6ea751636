#ifndef VERNIER_TRIALS_JOBS_ORCHESTRATOR_H_
#define VERNIER_TRIALS_JOBS_ORCHESTRATOR_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "store/study_kinds.h"
#include "trials/budgets/quota_budget.h"
#include "trials/budgets/replica_budget.h"
#include "trials/engine/study_engines.h"
#include "trials/jobs/hindrances.h"
#include "trials/jobs/job_times.h"
#include "trials/jobs/launcher.h"
#include "trials/jobs/plan.h"
#include "trials/jobs/repeated_lines.h"
#include "trials/jobs/trial_suggestions.h"
#include "trials/limits/progress_watch.h"
#include "trials/stopping/early_stopping.h"

namespace vernier {

/// Compares what runs with what is wanted and acts on the difference; nothing
/// else changes trials or attempts of jobs. Each Step works from the whole
/// present state, so the first start, normal operation and a restart are the
/// same code.
///
/// Not thread-safe: one thread owns it and calls Step repeatedly.
class Orchestrator {
 public:
  struct Dependencies {
    Store& store;
    Launcher& launcher;
    MetricSource& metrics;
    /// They must outlive Options::fitters, too.
    StudyEngines& engines;
    const Clock& clock;
    /// Returns 128 random bits as 32 hex digits, never the same twice.
    std::function<std::string()> make_nonce;
    /// Receives one line for the log of the service.
    std::function<void(const std::string&)> log;
    const QuotaStore* quotas = nullptr;  ///< Null: there are none.
    /// Gets the reasons why jobs do not continue. Null: nobody reads them.
    Hindrances* hindrances = nullptr;
  };
  struct Options {
    /// The wait while attempts run, after which their reports are read even
    /// without a wake-up.
    std::chrono::milliseconds metric_poll{500};
    /// The wait while jobs are open but nothing runs, and while no job is open.
    std::chrono::milliseconds open_wait{1000};
    std::chrono::milliseconds idle_wait{60000};
    /// The wait after a failed launch or commit that may succeed later.
    std::chrono::milliseconds retry_wait{250};
    /// The period at which running times are stored, so that limits hold after
    /// a crash.
    std::chrono::milliseconds checkpoint_period{30000};
    /// Its threads choose the points of new trials; if it is null, Step chooses
    /// them itself before it returns. Must outlive the orchestrator.
    ThreadPool* fitters = nullptr;
    /// The time to wait for points that take the latest results into account,
    /// before points from earlier results are used.
    std::chrono::milliseconds suggestion_deadline{2000};
    /// The most replicas of all jobs that may run on this machine at once; 0:
    /// no limit. A larger gang runs alone.
    int max_concurrent_replicas = 0;
    /// The time for which later jobs may use the free GPUs while a job waits
    /// for more than are free. After that, free GPUs are kept for it.
    std::chrono::milliseconds gang_patience{60000};
    PlanOptions plan;
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  Orchestrator(const Dependencies& dependencies, Options options);
  ~Orchestrator();

  /// Reads, plans, commits, acts; returns how long the caller may wait before
  /// the next Step if nothing happens. Zero: call again at once.
  ///
  /// The error is the store's, and final: the process should end.
  absl::StatusOr<std::chrono::milliseconds> Step();

  /// Prepares for the end of the service: from the next Step on, all running
  /// trials are preempted and none is started. The next service starts them
  /// again. Thread-safe.
  void Drain() { is_draining_ = true; }
  /// Returns whether a Step has seen, since Drain, that no trial runs.
  /// Thread-safe.
  bool is_drained() const { return is_drained_; }

 private:
  using Observations = std::map<AttemptKey, AttemptObservation>;
  /// The resources that one Step may still give to attempts, and the jobs that
  /// had to be refused.
  struct Supply {
    GpuPool gpus;
    std::map<std::string, QuotaBudget> rooms;  ///< Of projects with a quota.
    ReplicaBudget replicas;
    std::map<StudyId, Hindrance> hindrances;
    /// The first job in the queue that lacks GPUs or replicas.
    struct Lacking {
      int priority = 0;
      std::string name;
      std::string project;
      RoomLack lack;
      bool keeps_gpus = false;  ///< Free ones, until it can start.
    };
    std::optional<Lacking> lacking;
  };
  /// An intended attempt whose launch the launcher refused for now, and why.
  struct PostponedLaunch {
    LaunchRequest request;
    std::string why;
  };
  using Postponed = std::map<AttemptKey, PostponedLaunch>;

  Observations Observe(const StoreSnapshot& snapshot);
  /// Removes from `seen` the ends whose last reports are not stored yet: if
  /// such an end was stored first, the reports would be lost.
  absl::Status StoreMetrics(const StoreSnapshot& snapshot, Observations* seen);
  /// The reports that the metric source had for the live attempts.
  struct Readings {
    /// The changes that store the reports of each attempt that has some,
    /// attempt after attempt.
    std::vector<Change> changes;
    /// The number of these changes for each attempt; all of one attempt are
    /// stored, or none.
    std::vector<std::pair<AttemptKey, std::size_t>> reports;
    std::vector<AttemptKey> partial;  ///< To be read again.
    std::vector<AttemptKey> unread;   ///< There is more at once.
    std::vector<AttemptKey> pending;  ///< The source ends the wait later.
  };
  Readings ReadMetrics(const StoreSnapshot& snapshot, Observations* seen);
  absl::Status PlanJob(const StoreSnapshot& snapshot, JobRef job,
                       const Observations& seen, Supply* supply);
  absl::Status MakeRoom(const StoreSnapshot& snapshot, JobRef job,
                        RoomLack lack);
  std::set<TrialId> BackingOff(JobRef job);
  void TellHindrances(std::map<StudyId, Hindrance> jobs);
  /// Returns nullopt if the reports could not be read, so that nothing is
  /// known.
  absl::StatusOr<std::optional<EarlyVerdicts>> DecideEarly(JobRef job);
  /// Adds to `input` what the study's limits are compared with, if it has any.
  void AddUse(const std::shared_ptr<const StudySnapshot>& study,
              const Observations& seen, PlanInput* input);
  std::vector<NewTrial> FillNewTrials(const StoreSnapshot& snapshot, JobRef job,
                                      StudyPlan* plan);
  absl::Status CommitPlan(JobRef job, StudyPlan plan,
                          std::vector<NewTrial> created);
  void Launch(StudyId study, const std::vector<IntendLaunch>& intents);
  void LaunchOne(LaunchRequest request);
  void RetryPostponed(const StoreSnapshot& snapshot);
  void KillUnwanted(const StoreSnapshot& snapshot);
  void ForgetEnded(const StoreSnapshot& snapshot, const Observations& seen);
  GpuPool MakeGpuPool(const StoreSnapshot& snapshot) const;
  std::vector<JobRef> Queue(const StoreSnapshot& snapshot) const;
  void NoteWait(JobRef job, const StudyPlan& plan, Supply* supply);
  bool IsPatienceOver(StudyId study) const;
  /// Names the job that others wait for, as far as `job`'s users may know it.
  static std::string NameFor(JobRef job, const Supply::Lacking& lacking);
  std::map<std::string, QuotaBudget> Rooms(const StoreSnapshot& snapshot,
                                           const Observations& seen) const;
  int RunningReplicas(const StoreSnapshot& snapshot,
                      const Observations& seen) const;
  std::chrono::milliseconds NextWait(const StoreSnapshot& snapshot) const;
  absl::Status Commit(const std::vector<Change>& changes);
  void Log(const std::string& line);

  const Dependencies dependencies_;
  const Options options_;
  const std::vector<Device> devices_;
  JobTimekeeper timekeeper_;
  TrialSuggestions suggestions_;
  ProgressWatch progress_;
  Postponed postponed_;
  std::set<AttemptKey> killed_;
  /// The time at which each attempt that the machine failed was first seen to
  /// have ended. It is in memory only, so after a restart the wait begins
  /// again.
  std::map<AttemptKey, SteadyTime> failed_at_;
  /// The time since which each job lacks GPUs or replicas for its next attempt.
  /// It is in memory only, so after a restart the jobs queue by age.
  std::map<StudyId, SteadyTime> lacking_since_;
  std::optional<std::chrono::milliseconds> next_retry_;  // From now.
  std::atomic<bool> is_draining_{false};
  std::atomic<bool> is_drained_{false};
  RepeatedLines log_lines_;
  bool has_trouble_ = false;  // The last commit found no room.
  bool retry_soon_ = false;
  bool step_again_ = false;
};

/// Returns the folder of an attempt below its job's run folder:
/// "<trial>/<attempt>".
std::string AttemptDir(JobRef job, const AttemptKey& attempt);

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOBS_ORCHESTRATOR_H_
