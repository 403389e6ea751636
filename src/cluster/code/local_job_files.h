#ifndef VERNIER_CLUSTER_CODE_LOCAL_JOB_FILES_H_
#define VERNIER_CLUSTER_CODE_LOCAL_JOB_FILES_H_

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "buckets/bucket_store.h"
#include "cluster/code/code_snapshot.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// A folder that PinCode is copying now.
struct CodeCopy {
  std::string folder;  ///< The source.
  std::int64_t files = 0;
  std::int64_t of_files = 0;  ///< 0 while they are being counted.
};

/// Job files on this machine's disk. Removes nothing outside its roots.
/// Thread-safe.
class LocalJobFiles final : public JobFiles {
 public:
  struct Options {
    std::string code_root;  ///< Absolute; pinned code lies in folders below.
    std::string run_root;   ///< Absolute; trials' folders lie below.
    /// Absolute; jobs' secrets lie in it. The service's user alone may read it.
    std::string secret_root;
    CodeSnapshotOptions snapshot;
    /// A text that names no other folder, e.g. 32 random hex digits.
    std::function<std::string()> make_suffix;
    /// The file of a package that is not named by its path. Null: there are
    /// none.
    std::function<absl::StatusOr<std::string>(const std::string& uri)>
        find_package = nullptr;
  };

  /// Borrows `buckets`.
  LocalJobFiles(BucketStore& buckets, Options options);

  absl::StatusOr<std::string> PinCode(const std::string& job_id,
                                      const std::string& source_dir,
                                      const std::string& output_dir) override;
  absl::StatusOr<std::string> DigestCode(
      const std::string& dir, const std::string& output_dir,
      const std::vector<std::string>& package_uris) override;
  void DropCode(const std::string& code_dir) override;
  absl::StatusOr<KeptSecrets> KeepSecrets(
      const std::string& job_id, const std::string& request_id,
      const std::map<std::string, std::string>& secrets,
      const std::string& present) override;
  void DropSecrets(const std::string& file) override;
  absl::Status CheckOutputFolder(const std::string& path) override;
  absl::Status CheckBuckets(const JobSpec& spec,
                            const std::string& project) override;
  absl::StatusOr<PinnedPackages> PinPackages(
      const JobSpec& spec, const std::string& project) override;
  void KeepPackages(const PinnedPackages& packages,
                    const StudyRecord& job) override;
  void Remove(const StudyRecord& job) override;

  /// Removes pinned code but for folders with the names of those in `kept`:
  /// what was copied just before a crash, and versions that nothing runs any
  /// more. Where the root lies may be written in several ways, and the folders'
  /// names are never given twice. Only while nobody pins.
  void SweepCode(const std::set<std::string>& kept);
  /// Likewise, the files of secrets that are not in `kept`.
  void SweepSecrets(const std::set<std::string>& kept);

  std::vector<CodeCopy> CopiesUnderWay() const;

 private:
  using Progress = std::shared_ptr<CodeSnapshotProgress>;

  /// What went wrong with somebody's code folder, in the words of a job file.
  static absl::Status AboutCode(const absl::Status& status);

  BucketStore& buckets_;
  const Options options_;
  mutable Mutex mu_;  // Held for the list only.
  std::list<std::pair<std::string, Progress>> under_way_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_LOCAL_JOB_FILES_H_
