#ifndef VERNIER_TRIALS_SUBMISSION_SUBMITTED_SECRETS_H_
#define VERNIER_TRIALS_SUBMISSION_SUBMITTED_SECRETS_H_

#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/job_file/job_parser.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// The secret variables of a job that is being submitted. They are written to a
/// file before the job, which names that file, is stored. The file is removed
/// again unless Commit says that a job has it. Not thread-safe.
class SubmittedSecrets {
 public:
  /// Stores `job->secrets`, if there are any, removes them from `job`, and
  /// names them in its spec and JSON. `request_id` as for CreateJob; `present`
  /// is the file of the job's present secrets, or empty; if the secrets are the
  /// same, they stay there.
  ///
  /// INVALID_ARGUMENT for a name that no variable can have, for more than 1,000
  /// variables or 1 MiB, or for a request id that was used with other secrets;
  /// else the errno's code.
  static absl::StatusOr<SubmittedSecrets> Keep(JobFiles& files,
                                               const std::string& request_id,
                                               const std::string& present,
                                               ParsedJob* job);

  SubmittedSecrets(SubmittedSecrets&& other) noexcept;
  SubmittedSecrets& operator=(SubmittedSecrets&&) = delete;
  ~SubmittedSecrets();

  /// Keeps the file, because a job refers to it now.
  void Commit() { file_.clear(); }

 private:
  SubmittedSecrets(JobFiles& files, std::string file)
      : files_(files), file_(std::move(file)) {}

  JobFiles& files_;
  std::string file_;  // To be removed; empty: nothing is.
};

/// Returns the files of secrets that jobs of `snapshot` have, in any version.
/// Pure.
std::set<std::string> SecretsInUse(const StoreSnapshot& snapshot);

/// Removes the secrets of a job that is gone, of all versions, but for the file
/// `kept`, which another job has.
void DropSecretsOf(JobRef job, JobFiles& files, const std::string& kept = "");

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SUBMITTED_SECRETS_H_
