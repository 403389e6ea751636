#ifndef VERNIER_CLUSTER_LOCAL_JOB_FILES_H_
#define VERNIER_CLUSTER_LOCAL_JOB_FILES_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cluster/code_snapshot.h"
#include "trials/job_files.h"

namespace vernier {

/// Job files on this machine's disk. Removes nothing outside its two roots.
/// Thread-safe.
class LocalJobFiles final : public JobFiles {
 public:
  struct Options {
    std::string code_root;  ///< Absolute; pinned code lies in folders below.
    std::string run_root;   ///< Absolute; trials' folders lie below.
    CodeSnapshotOptions snapshot;
    /// A text that names no other folder, e.g. 32 random hex digits.
    std::function<std::string()> make_suffix;
    /// The file of a package that is not named by its path. Null: there are
    /// none.
    std::function<absl::StatusOr<std::string>(const std::string& uri)>
        find_package = nullptr;
  };

  explicit LocalJobFiles(Options options);

  absl::StatusOr<std::string> PinCode(const std::string& job_id,
                                      const std::string& source_dir) override;
  absl::StatusOr<std::string> DigestCode(
      const std::string& dir,
      const std::vector<std::string>& package_uris) override;
  void DropCode(const std::string& code_dir) override;
  void Remove(const JobRecord& job) override;

  /// Removes pinned code but for folders with the names of those in `kept`:
  /// what was copied just before a crash, and versions that nothing runs any
  /// more. Where the root lies may be written in several ways, and the folders'
  /// names are never given twice. Only while nobody pins.
  void SweepCode(const std::set<std::string>& kept);

 private:
  /// What went wrong with somebody's code folder, in the words of a job file.
  static absl::Status AboutCode(const absl::Status& status);

  const Options options_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_LOCAL_JOB_FILES_H_
