#ifndef VERNIER_TRIALS_SUBMISSION_JOB_SERVICE_H_
#define VERNIER_TRIALS_SUBMISSION_JOB_SERVICE_H_

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
#include "store/access/quota_store.h"
#include "store/study_kinds.h"
#include "study/engines/launcher_name.h"
#include "study/job_file/job_parser.h"
#include "study/job_id.h"
#include "trials/submission/job_files.h"
#include "trials/submission/job_machines.h"
#include "trials/submission/job_revision.h"

namespace vernier {

class SubmittedPackages;

/// The operations on jobs for every API (gRPC, REST, command line). It writes
/// only what users want; the orchestrator does the rest. Each answer is the job
/// after the call. Thread-safe.
///
/// `job_id` is an id that includes the project (study/job_id.h). The caller
/// must have checked that the user may access it.
///
/// Errors: NOT_FOUND for an unknown job id; FAILED_PRECONDITION if the request
/// does not fit the job's state, with words that say which would; those of
/// Store.
class JobService {
 public:
  using Answer = absl::StatusOr<std::shared_ptr<const StudySnapshot>>;

  struct Dependencies {
    Store& store;
    JobFiles& files;
    const Clock& clock;
    /// Notifies the orchestrator that something changed. Any thread may call
    /// it.
    std::function<void()> wake;
    /// Returns 64 random bits, for seeds. Any thread may call it.
    std::function<std::uint64_t()> random_seed;
    const QuotaStore* quotas = nullptr;  ///< Null: there are none.
  };
  struct Options {
    std::string run_root;  ///< Absolute; runs live in <run_root>/<study>/...
    MachineTypeTable machine_types = {};  ///< Types that jobs may name, too.
    /// The value of vernier.launcher for jobs that leave it out.
    LauncherName launcher = LauncherName::kLocal;
  };

  /// Borrows the objects that `dependencies` refers to; they must outlive this
  /// one.
  JobService(const Dependencies& dependencies, Options options);

  /// Stores a job of `project`. A `resumePreviousJobId` must name a final
  /// tuning job of the same project; what the new job leaves out of goal,
  /// params and metric tag is taken from it, and what it repeats must be equal
  /// (INVALID_ARGUMENT). vernier.codeDir must be absolute; it is copied before
  /// this returns, and so are the packages. The project must have the right to
  /// use the objects in buckets that the job names (see
  /// JobFiles::CheckBuckets). ALREADY_EXISTS if the project has a job of this
  /// name and `request_id`, which is the project's own, is not that of the
  /// first call; INVALID_ARGUMENT for an unknown machine type;
  /// RESOURCE_EXHAUSTED if its quota allows no further study.
  Answer CreateJob(const ParsedJob& job, const std::string& request_id,
                   const std::string& project = std::string(kDefaultProject));

  /// The objects that a validation checks. Callers that may not run programs
  /// here must not learn whether a file is there.
  enum class Look { kAtFiles, kAtJobOnly };
  /// Checks a job like CreateJob, but stores nothing. Returns the job's JSON
  /// after merging what a resumed job contributes.
  absl::StatusOr<ParsedJob> ValidateJob(
      const ParsedJob& job,
      const std::string& project = std::string(kDefaultProject),
      Look look = Look::kAtFiles) const;

  Answer GetJob(const std::string& job_id) const;

  /// Changes a job to what is asked for: attempts that start from now on run
  /// its next version, with new code, program, settings and limits. If nothing
  /// differs, there is no new version. The code folder is compared with the one
  /// that was pinned, and copied before this returns if it differs; copies that
  /// nothing runs any more are removed.
  ///
  /// A job is replaced by another one of its name, which may search otherwise,
  /// if it never ran anything (HasEverRun), has nothing alive, `job` and
  /// `goes_on` are given, and it is final, paused or differs. Repeating a
  /// request id changes nothing.
  ///
  /// An edit may also change the search space of a job that has trials
  /// (PlanSearchEdit); those that lie outside of it then teach the search
  /// nothing. Another edit undoes that.
  ///
  /// Errors: FAILED_PRECONDITION if the search differs (it needs another name),
  /// or cannot be edited so, if maxTrials would fall below the number of
  /// trials, if the job is being stopped, or if it succeeded, `goes_on` is set
  /// and maxTrials leaves no room for more; ABORTED if the job was revised
  /// meanwhile (an edit is tried again first); those of CreateJob.
  absl::StatusOr<RevisedJob> ReviseJob(const std::string& job_id,
                                       const JobRevision& asked);

  /// Cancels a job. It is CANCELLING in the answer, and in every later one
  /// until it is final. FAILED_PRECONDITION if it is final.
  Answer CancelJob(const std::string& job_id);
  enum class Running { kGoesOn, kIsPreempted };
  /// Pauses a job. `running` says what becomes of the trials that run; one that
  /// is preempted starts again after the resume. OK if the job is paused
  /// already; FAILED_PRECONDITION if it is final or cancelling.
  Answer PauseJob(const std::string& job_id, const std::string& reason,
                  Running running = Running::kGoesOn);
  /// Undoes a pause, or reopens a failed or cancelled job, with as many more
  /// trials as failed or were cancelled. OK if it runs. FAILED_PRECONDITION if
  /// it succeeded (extend it) or is cancelling.
  Answer ResumeJob(const std::string& job_id);
  /// Raises max trials and reopens the job if it is final. INVALID_ARGUMENT if
  /// `max_trials` is not larger than now; FAILED_PRECONDITION without tuning.
  Answer ExtendJob(const std::string& job_id, int max_trials);
  /// Queues points, each a JSON object of names and values, to be tried next in
  /// this order; a parameter that is left out has its default. All are queued
  /// or none. Repeating a non-empty `request_id` with the same points queues
  /// nothing. INVALID_ARGUMENT if there is none or one does not fit the search
  /// space; FAILED_PRECONDITION without tuning, if the job is final or being
  /// stopped, or if there would be more trials than max trials.
  Answer AddTrials(const std::string& job_id,
                   const std::vector<std::string>& points,
                   const std::string& request_id);
  /// Ends a trial that is not final, as a cancelled one; its last value stays.
  /// OK if it is being stopped. NOT_FOUND if there is no such trial.
  Answer StopTrial(const std::string& job_id, TrialId trial);
  /// Replaces the labels. ABORTED if `expected_version` is given and is not the
  /// present one.
  Answer UpdateLabels(const std::string& job_id,
                      const std::map<std::string, std::string>& labels,
                      std::optional<std::int64_t> expected_version);
  /// The options of a call that deletes a job.
  struct Deletion {
    /// Files that its trials left may be removed, too.
    bool with_outputs = false;
    bool validate_only = false;  ///< Only say what would be removed.
  };
  /// Removes a final job and its files, and returns the count of those that its
  /// trials had left. FAILED_PRECONDITION if it is not final, or if it has such
  /// files and Deletion::with_outputs is not set.
  absl::StatusOr<OutputCount> DeleteJob(const std::string& job_id,
                                        const Deletion& asked);

 private:
  // As ReviseJob, once.
  absl::StatusOr<RevisedJob> ReviseOnce(const std::string& job_id,
                                        JobRevision asked);
  /// Adds missing fields from the machine types and from the resumed job, which
  /// `snapshot` contains.
  absl::StatusOr<ParsedJob> Complete(const ParsedJob& job,
                                     const StoreSnapshot& snapshot,
                                     const std::string& project) const;
  /// Returns the record of a complete job, without its files and its request.
  NewJob Draft(ParsedJob completed, const StoreSnapshot& snapshot,
               const std::string& project) const;
  /// Does what CreateJob says, in place of the job `replaces` if that is set.
  Answer Create(const ParsedJob& job, const std::string& request_id,
                const std::string& project, std::optional<StudyId> replaces);
  absl::StatusOr<RevisedJob> Replace(JobRef job, const JobRevision& asked,
                                     const ParsedJob& given);
  absl::StatusOr<RevisedJob> Revise(JobRef job, const JobRevision& asked,
                                    const ParsedJob& given,
                                    SubmittedPackages* packages,
                                    RevisedCode code, const RevisionPlan& plan);
  absl::StatusOr<RevisedCode> CompareCode(JobRef job, const JobRevision& asked,
                                          const ParsedJob& given) const;
  void DropUnusedCode(const std::shared_ptr<const StudySnapshot>& study);
  Answer CommitAndGet(const std::vector<Change>& changes, StudyId study);
  Answer Find(StudyId study) const;

  const Dependencies dependencies_;
  const Options options_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_JOB_SERVICE_H_
