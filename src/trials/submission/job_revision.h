#ifndef VERNIER_TRIALS_SUBMISSION_JOB_REVISION_H_
#define VERNIER_TRIALS_SUBMISSION_JOB_REVISION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// A user's changes to a job that exists.
struct JobRevision {
  /// The complete new job; unset: unchanged.
  std::optional<ParsedJob> job;
  /// The fields of the job that change, as the JSON of a job that need not be
  /// complete, in place of `job`; empty: none. The search may be edited so.
  std::string edit;
  /// The absolute folder of the new code; empty if `job` or `edit` names it, or
  /// if the code is unchanged.
  std::string code_dir;
  /// The job is to run: a pause is ended, and a final job is reopened.
  bool goes_on = false;
  /// Trials that run an earlier version are to start again.
  bool restarts = false;
  /// Nothing is changed; the answer says what would be.
  bool validate_only = false;
  std::string request_id;
};

/// The answer to a JobRevision.
struct RevisedJob {
  std::shared_ptr<const StudySnapshot> study;  ///< After the call.
  /// The differences from the old job, in words; empty: none.
  std::vector<std::string> changes;
  /// The job never ran, and was replaced by another one.
  bool is_replaced = false;
  int restarted = 0;             ///< Attempts that end to start again.
  int made_up_trials = 0;        ///< New trials in place of ones that failed.
  bool has_more_trials = false;  ///< maxTrials was or would be raised.
};

/// The code of the next version.
struct RevisedCode {
  std::string dir;     ///< Pinned; may be empty.
  std::string digest;  ///< Empty if `dir` is.
  bool is_new = false;
};

/// The result of comparing a job with its revision, as far as that needs no
/// disk.
struct RevisionPlan {
  std::vector<std::string> changes;  ///< As in RevisedJob.
  int max_trials = 1;                ///< For the job's record.
  int made_up_trials = 0;            ///< Likewise.
  std::vector<Parameters> points;    ///< Initial points that are new.
};

/// Compares the revision with the job. `given` must be complete, with its final
/// code folder. Pure.
///
/// maxTrials counts trials as users see them: those that failed or were
/// cancelled before a job continues are replaced. It may fall, but not below
/// the number of trials (FAILED_PRECONDITION). If it is not changed, an
/// extension stays. The search space may differ only in an edit; see
/// PlanSearchEdit.
absl::StatusOr<RevisionPlan> PlanRevision(JobRef job, const JobRevision& asked,
                                          const ParsedJob& given,
                                          bool has_new_code);

/// Returns the changes to commit for a plan. Pure.
std::vector<Change> ChangesOf(const RevisionPlan& plan, JobRef job,
                              const JobRevision& asked, const ParsedJob& given,
                              const RevisedCode& code);

/// Returns the job as it is to be: `asked.job`, or the present one with the
/// fields of `asked.edit`; with the code folder that is asked for and the
/// search that a resumed job contributed. INVALID_ARGUMENT if it has another
/// name, or if the edit is for a field that no edit can change or makes the job
/// invalid.
absl::StatusOr<ParsedJob> CompleteRevision(JobRef job,
                                           const JobRevision& asked);

/// Returns whether the revision names the folder of the code, which may have
/// changed even if the name has not.
bool NamesCode(const JobRevision& asked);

/// Returns the digest that binds a request id to what was asked for.
std::uint64_t DigestOf(JobRef job, const JobRevision& asked);

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_JOB_REVISION_H_
