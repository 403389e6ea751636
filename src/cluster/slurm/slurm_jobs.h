#ifndef VERNIER_CLUSTER_SLURM_SLURM_JOBS_H_
#define VERNIER_CLUSTER_SLURM_SLURM_JOBS_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/wake_event.h"
#include "cluster/slurm/job_submission.h"
#include "cluster/slurm/job_tracker.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_settings.h"
#include "cluster/slurm/submission_rate.h"

namespace vernier {

/// The state of one job.
struct JobView {
  enum class Stage {
    kWaiting,     ///< To be submitted; `words` may say why it is not yet.
    kSubmitting,  ///< sbatch runs.
    kInSlurm,     ///< Submitted, perhaps: `knowledge` tells.
    kRefused,     ///< Slurm will not have it; `words` are its own.
    kWithdrawn,   ///< It was to end before it was submitted.
  };
  Stage stage = Stage::kInSlurm;
  std::string words;
  JobTracker::Knowledge knowledge;  ///< kInSlurm.
};

/// Submits, lists and cancels a service's jobs in Slurm: submissions are
/// limited in rate and never duplicated, and one command lists all jobs. Its
/// own thread makes the calls, which may take long when the controller is busy,
/// so that no caller waits for them. Thread-safe.
class SlurmJobs {
 public:
  struct Dependencies {
    std::unique_ptr<SlurmClient> client;
    const Clock& clock;
    /// Called by the thread, without a lock, when something may have changed.
    std::function<void()> on_change;
    /// Receives one line for the service's log; called likewise.
    std::function<void(const std::string&)> log;
  };

  /// `prefix` is JobNamePrefix's. No command is run before the first request.
  SlurmJobs(Dependencies dependencies, const SlurmSettings& settings,
            std::string prefix);
  /// Ends the thread, and any running command.
  ~SlurmJobs();

  /// Submits a job when its turn comes.
  void Start(JobSubmission submission);
  /// Follows a job that an earlier service may have submitted.
  void Follow(const std::string& name);
  /// Ends a job: one that still waits here is withdrawn, a pending job is
  /// cancelled, a running one is asked to end (kAsk) or killed (kEnd). This is
  /// repeated until the job has ended; a later kEnd replaces kAsk.
  void Cancel(const std::string& name, CancelKind kind);
  /// Forgets a job; call it once the job's end is stored.
  void Drop(const std::string& name);
  /// Declares that all jobs that should be alive are followed from now on.
  /// Foreign jobs (those with this service's prefix that nobody follows) are
  /// cancelled after a while.
  void CancelStrangers();

  JobView Of(const std::string& name) const;

 private:
  struct Job {
    JobView view;
    std::optional<JobSubmission> submission;  // Until it is in Slurm for sure.
    std::optional<CancelKind> end_wanted;
    SteadyTime cancel_at{};
  };
  using Work = std::function<void()>;

  static bool AvoidsNodes(const Job& job);

  void Run();
  /// Returns the next piece of work, or null if there is none now; `wait` is
  /// then the time until there may be some.
  Work NextWork(SteadyTime now, std::chrono::milliseconds* wait);
  std::optional<std::string> NextToCancel(SteadyTime now) VERNIER_REQUIRES(mu_);
  bool MaySubmit(SteadyTime now) VERNIER_REQUIRES(mu_);
  SteadyTime NextListing() const VERNIER_REQUIRES(mu_);
  void Submit(const JobSubmission& submission);
  void TakeAnswer(const std::string& name, const SubmissionAnswer& answer);
  void List();
  void ResubmitMissing() VERNIER_REQUIRES(mu_);
  void NoteStrangers(SteadyTime now) VERNIER_REQUIRES(mu_);
  void AskAccounts(const std::vector<std::string>& names);
  void CancelOne(const std::string& name);
  void Wake();
  void Log(const std::string& line);

  const SlurmSettings settings_;
  const std::string prefix_;
  const std::unique_ptr<SlurmClient> client_;  // Of the thread; Stop of any.
  const Clock& clock_;                         // Thread-safe.
  const std::function<void()> on_change_;
  const std::function<void(const std::string&)> log_;
  const WakeEvent wake_;
  mutable Mutex mu_;
  std::map<std::string, Job> jobs_ VERNIER_GUARDED_BY(mu_);
  std::deque<std::string> waiting_ VERNIER_GUARDED_BY(mu_);
  JobTracker tracker_ VERNIER_GUARDED_BY(mu_);
  SubmissionRate rate_ VERNIER_GUARDED_BY(mu_);
  std::map<std::string, SteadyTime> strangers_ VERNIER_GUARDED_BY(mu_);
  SteadyTime listed_at_ VERNIER_GUARDED_BY(mu_){};
  std::chrono::microseconds listing_took_ VERNIER_GUARDED_BY(mu_){0};
  int submitted_since_ VERNIER_GUARDED_BY(mu_) = 0;  // The last listing.
  bool cancels_strangers_ VERNIER_GUARDED_BY(mu_) = false;
  bool keeps_accounts_ VERNIER_GUARDED_BY(mu_) = true;
  bool is_stopping_ VERNIER_GUARDED_BY(mu_) = false;
  std::string trouble_ VERNIER_GUARDED_BY(mu_);  // The last listing's.
  std::thread thread_;  // Started by the first request.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_SLURM_SLURM_JOBS_H_
