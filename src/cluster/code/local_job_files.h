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
#include "store/study_kinds.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// A folder that PinCode is copying now.
struct CodeCopy {
  std::string folder;  ///< The source.
  std::int64_t files = 0;
  std::int64_t of_files = 0;  ///< 0 while they are being counted.
};

/// Job files on this machine's disk. It removes nothing outside its roots.
/// Thread-safe.
class LocalJobFiles final : public JobFiles {
 public:
  struct Options {
    std::string code_root;  ///< Absolute; holds folders of pinned code.
    std::string run_root;   ///< Absolute; holds the folders of trials.
    /// The absolute path of the folder with jobs' secrets. Only the service's
    /// user may read it.
    std::string secret_root;
    CodeSnapshotOptions snapshot;
    /// Returns a text that no other folder has in its name, e.g. 32 random hex
    /// digits.
    std::function<std::string()> make_suffix;
    /// Finds the file of a package whose URI is not a path. Null if there are
    /// no such packages.
    std::function<absl::StatusOr<std::string>(const std::string& uri)>
        find_package = nullptr;
  };

  /// Borrows `buckets`.
  LocalJobFiles(BucketStore& buckets, Options options);

  absl::Status CheckCodeFolder(const std::string& path) override;
  absl::StatusOr<PinnedCode> PinCode(const std::string& job_id,
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
  void KeepPackages(const PinnedPackages& packages, JobRef job) override;
  OutputCount CountOutputs(JobRef job) override;
  void Remove(JobRef job) override;

  /// Removes the folders of pinned code whose names are not in `kept`: copies
  /// from just before a crash, and versions that nothing runs any more. Names
  /// are compared, not paths, since a path may be written in several ways and
  /// names are never reused. Must not be called while code is being pinned.
  void SweepCode(const std::set<std::string>& kept);
  /// Removes the files of secrets that are not in `kept`, in the same way.
  void SweepSecrets(const std::set<std::string>& kept);

  std::vector<CodeCopy> CopiesUnderWay() const;

 private:
  using Progress = std::shared_ptr<CodeSnapshotProgress>;

  /// Returns whether `path` is, or is inside, a folder of the service. Links
  /// are followed.
  bool IsOurs(const std::string& path) const;
  /// Returns an error about a code folder in terms of the job file.
  static absl::Status AboutCode(const absl::Status& status);

  BucketStore& buckets_;
  const Options options_;
  mutable Mutex mu_;  // Held for the list only.
  std::list<std::pair<std::string, Progress>> under_way_
      VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_LOCAL_JOB_FILES_H_
