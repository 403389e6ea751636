#ifndef VERNIER_TRIALS_JOB_FILES_H_
#define VERNIER_TRIALS_JOB_FILES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/records.h"

namespace vernier {

/// Where a job's secret variables lie.
struct KeptSecrets {
  std::string file;    ///< Absolute.
  bool is_new = true;  ///< False: it was there.
};

/// The files that belong to a job: its pinned code, its secrets and its trials'
/// folders. Thread-safe.
class JobFiles {
 public:
  virtual ~JobFiles() = default;

  /// Copies `source_dir` (absolute) to a new folder and returns that folder's
  /// path; the copy is durable. INVALID_ARGUMENT if the source is no readable
  /// folder or larger than the limits; RESOURCE_EXHAUSTED if the disk is full.
  virtual absl::StatusOr<std::string> PinCode(
      const std::string& job_id, const std::string& source_dir) = 0;

  /// A text that is the same for two folders if and only if PinCode would make
  /// the same copy of both, and the packages hold the same: of a fresh copy, it
  /// is that of its source. `dir` may be empty, and `package_uris` too; with
  /// both empty it is "". A package that is not there yet has a digest, too.
  /// Errors as PinCode.
  virtual absl::StatusOr<std::string> DigestCode(
      const std::string& dir, const std::vector<std::string>& package_uris) = 0;

  /// Removes a folder that PinCode returned and no job refers to.
  virtual void DropCode(const std::string& code_dir) = 0;

  /// Stores secret variables, durably and readable by the service's user only.
  /// If the file `present` (empty: there is none) holds the same, that is the
  /// answer and nothing is written. Repeating a non-empty `request_id` gives
  /// the same file. INVALID_ARGUMENT if it was used with other secrets; else
  /// the errno's code.
  virtual absl::StatusOr<KeptSecrets> KeepSecrets(
      const std::string& job_id, const std::string& request_id,
      const std::map<std::string, std::string>& secrets,
      const std::string& present) = 0;

  /// Removes a file that KeepSecrets returned and no job refers to.
  virtual void DropSecrets(const std::string& file) = 0;

  /// OK if a program could make the folder `path` (absolute) and write there.
  /// Leaves nothing behind. Else the errno's code, naming the path.
  virtual absl::Status CheckOutputFolder(const std::string& path) = 0;

  /// Removes the pinned code, of all versions, and run folders of a job that
  /// was deleted.
  virtual void Remove(const JobRecord& job) = 0;
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_JOB_FILES_H_
