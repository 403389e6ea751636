#ifndef VERNIER_TRIALS_SUBMISSION_JOB_PACKAGES_H_
#define VERNIER_TRIALS_SUBMISSION_JOB_PACKAGES_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/job_file/job_parser.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// Returns INVALID_ARGUMENT unless each packageUri is gs://BUCKET/NAME or an
/// absolute path, vernier.packageSha256 names only those, and no package or
/// module stands beside an image, which holds its program itself. This is not
/// the parser's task, because jobs of older releases, which did not check
/// packages, must still be read. Pure.
absl::Status CheckPackageUris(const ParsedJob& job);

/// Returns INVALID_ARGUMENT if the job runs a pythonModule and brings nothing
/// that has it: no package, no code folder, no image, and no PYTHONPATH. Every
/// trial would end with "No module named". This is not the parser's task
/// either. Pure.
absl::Status CheckModuleIsBrought(const JobSpec& spec);

/// The packages of a job that is being submitted: copied before the job is
/// stored, and removed again unless a job keeps them. Not thread-safe.
class SubmittedPackages {
 public:
  /// Copies them on behalf of `project`, and writes their hashes into `job`,
  /// which is stored with them: nothing else is ever installed for it. If the
  /// job gives a hash, the package must have it (INVALID_ARGUMENT). Other
  /// errors: those of JobFiles::PinPackages.
  static absl::StatusOr<SubmittedPackages> Pin(JobFiles& files,
                                               const std::string& project,
                                               ParsedJob* job);

  SubmittedPackages(SubmittedPackages&& other) noexcept;
  SubmittedPackages& operator=(SubmittedPackages&&) = delete;
  ~SubmittedPackages();

  /// Gives the copies to `job`.
  void Keep(JobRef job) { files_.KeepPackages(packages_, job); }

 private:
  SubmittedPackages(JobFiles& files, PinnedPackages packages)
      : files_(files), packages_(std::move(packages)) {}

  JobFiles& files_;
  PinnedPackages packages_;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_JOB_PACKAGES_H_
