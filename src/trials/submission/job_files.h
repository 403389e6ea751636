#ifndef VERNIER_TRIALS_SUBMISSION_JOB_FILES_H_
#define VERNIER_TRIALS_SUBMISSION_JOB_FILES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/job_spec.h"
#include "trials/submission/output_count.h"

namespace vernier {

/// The file of a job's secret variables.
struct KeptSecrets {
  std::string file;    ///< Absolute.
  bool is_new = true;  ///< False if it was there before.
};

/// A copy of a code folder.
struct PinnedCode {
  std::string dir;                 ///< Absolute; empty: there is none.
  std::vector<std::string> notes;  ///< Facts about it that a user should know.
};

/// Copies of a job's packages, made for a job that is not stored yet.
struct PinnedPackages {
  std::string folder;  ///< The folder of the copies; empty if the job has none.
  PackageHashes sha256;  ///< The hashes of all packages.
};

/// The files that belong to a job: its pinned code, its secrets and its trials'
/// folders. Thread-safe.
class JobFiles {
 public:
  virtual ~JobFiles() = default;

  /// Returns OK if programs may run in a copy of the folder `path` (absolute).
  /// INVALID_ARGUMENT, naming the field, if it is not a folder, or if it is one
  /// of the service's own, which contain what other jobs must not see.
  virtual absl::Status CheckCodeFolder(const std::string& path) = 0;

  /// Copies `source_dir` (absolute) to a new folder; the copy is durable.
  /// `output_dir`, which may be empty, is left out if it lies within, because
  /// what the job writes is not its code. INVALID_ARGUMENT if the source is no
  /// readable folder or larger than the limits; RESOURCE_EXHAUSTED if the disk
  /// is full.
  virtual absl::StatusOr<PinnedCode> PinCode(const std::string& job_id,
                                             const std::string& source_dir,
                                             const std::string& output_dir) = 0;

  /// Returns a digest that is equal for two folders if and only if PinCode
  /// would make the same copy of both and the packages have the same contents;
  /// a new copy has its source's digest. `dir` and `package_uris` may be empty;
  /// with both empty it is "". A package that does not exist yet has a digest,
  /// too. Errors: those of PinCode.
  virtual absl::StatusOr<std::string> DigestCode(
      const std::string& dir, const std::string& output_dir,
      const std::vector<std::string>& package_uris) = 0;

  /// Removes a folder that PinCode or PinPackages returned and no job refers
  /// to. Does nothing if `code_dir` is empty or the folder is not there.
  virtual void DropCode(const std::string& code_dir) = 0;

  /// Stores secret variables, durably and readable by the service's user only.
  /// If the file `present` (empty: none) has the same variables, it is returned
  /// and nothing is written. Repeating a non-empty `request_id` gives the same
  /// file. INVALID_ARGUMENT if that id was used with other secrets; otherwise
  /// the errno's code.
  virtual absl::StatusOr<KeptSecrets> KeepSecrets(
      const std::string& job_id, const std::string& request_id,
      const std::map<std::string, std::string>& secrets,
      const std::string& present) = 0;

  /// Removes a file that KeepSecrets returned and no job refers to.
  virtual void DropSecrets(const std::string& file) = 0;

  /// Returns OK if a program could make the folder `path` (absolute) and write
  /// there, and otherwise the errno's code, naming the path. Leaves nothing
  /// behind.
  virtual absl::Status CheckOutputFolder(const std::string& path) = 0;

  /// Checks that a job of `project` may use the objects that it names: its
  /// packages for reading, and its jobDir for writing. A missing bucket of
  /// jobDir is no error, because it will be made. Errors name the field:
  /// INVALID_ARGUMENT if that project has no such package; PERMISSION_DENIED
  /// for another project's bucket.
  virtual absl::Status CheckBuckets(const JobSpec& spec,
                                    const std::string& project) = 0;

  /// Copies the packages of a job of `project`; the copies are durable. Errors:
  /// those of CheckBuckets; RESOURCE_EXHAUSTED beyond the limit, or for a full
  /// disk.
  virtual absl::StatusOr<PinnedPackages> PinPackages(
      const JobSpec& spec, const std::string& project) = 0;
  /// Moves the copies to the job that they were made for, which is stored now;
  /// a job that has copies keeps them. A failure does no harm, because the file
  /// at the URI is then installed if it is still the same.
  virtual void KeepPackages(const PinnedPackages& packages, JobRef job) = 0;

  /// Counts the files that the trials of a job left in its run folder, which
  /// Remove removes, too. It counts no further than a bound.
  virtual OutputCount CountOutputs(JobRef job) = 0;

  /// Removes the pinned code, of all versions, and run folders of a job that
  /// was deleted.
  virtual void Remove(JobRef job) = 0;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_SUBMISSION_JOB_FILES_H_
