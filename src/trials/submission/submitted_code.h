#ifndef VERNIER_TRIALS_SUBMISSION_SUBMITTED_CODE_H_
#define VERNIER_TRIALS_SUBMISSION_SUBMITTED_CODE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/job_file/job_parser.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// Returns `job` with other notes about the copy of its code.
absl::StatusOr<ParsedJob> WithCodeNotes(const ParsedJob& job,
                                        const std::vector<std::string>& notes);

/// The pinned code of a job that is being submitted: copied before the job is
/// stored, and removed again unless a job has it. Not thread-safe.
class SubmittedCode {
 public:
  /// Copies vernier.codeDir of `spec`, if there is one, and takes the digest of
  /// the copy and the packages, because the source may change meanwhile.
  /// Errors: those of JobFiles::PinCode.
  static absl::StatusOr<SubmittedCode> Pin(JobFiles& files,
                                           const JobSpec& spec);

  SubmittedCode(SubmittedCode&& other) noexcept;
  SubmittedCode& operator=(SubmittedCode&&) = delete;
  ~SubmittedCode();

  const std::string& dir() const { return code_.dir; }  ///< Empty: none.
  const std::string& digest() const { return digest_; }

  /// Returns what a user should know about the copy.
  const std::vector<std::string>& notes() const { return code_.notes; }

  /// Leaves the copy to `job` if it refers to it. Otherwise the job has another
  /// copy, from an earlier call with the same request id.
  void KeepFor(JobRef job) { is_kept_ = job.run().code_dir == code_.dir; }

 private:
  SubmittedCode(JobFiles& files, PinnedCode code)
      : files_(files), code_(std::move(code)) {}

  JobFiles& files_;
  PinnedCode code_;
  std::string digest_;
  bool is_kept_ = false;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_SUBMITTED_CODE_H_
