#ifndef VERNIER_CLUSTER_CODE_PACKAGE_PIN_H_
#define VERNIER_CLUSTER_CODE_PACKAGE_PIN_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "buckets/bucket_store.h"
#include "study/job_file/package_hashes.h"
#include "study/job_spec.h"

namespace vernier {

/// A job's packages are what packageUris named when the job was submitted: each
/// is copied then, and its SHA-256 is stored with the job. What is installed
/// must have that hash, wherever it comes from.

/// Most bytes of all of a job's packages together.
inline constexpr std::int64_t kMaxPackageBytes = std::int64_t{4} << 30;

/// Opens what a packageUri names to read, on behalf of a job of `project`: an
/// object of a bucket that the project may read, or a file by its path.
///
/// Errors, naming the URI: INVALID_ARGUMENT if there is no such file or object
/// for that project; else an errno's code.
absl::StatusOr<UniqueFd> OpenPackage(BucketStore& buckets,
                                     const std::string& uri,
                                     const std::string& project);

/// Copies all that can be read from `source` to the new file `target`, mode
/// 0600, and returns the SHA-256 of what was copied. The copy is not synced.
/// RESOURCE_EXHAUSTED beyond `max_bytes`; else an errno's code.
absl::StatusOr<std::string> CopyHashed(int source, const std::string& target,
                                       std::int64_t max_bytes);

/// Where the copy of a package with this hash lies below `folder`. The file has
/// the package's own name, which pip reads.
std::string PinnedPackagePath(const std::string& folder,
                              const std::string& sha256,
                              const std::string& uri);

/// Copies a job's packages below `folder`, which is made, synced, and returns
/// their hashes. INVALID_ARGUMENT as OpenPackage; RESOURCE_EXHAUSTED beyond
/// kMaxPackageBytes or for a full disk. What was copied before a failure stays.
absl::StatusOr<PackageHashes> PinPackages(BucketStore& buckets,
                                          const JobSpec& spec,
                                          const std::string& project,
                                          const std::string& folder);

/// The folder of a job's runs, by that of one of its attempts.
std::string JobRunDirOf(const std::string& attempt_run_dir);
/// Where the packages of one version of a job are installed.
std::string PackageDirOf(const std::string& job_run_dir, int code_version);
/// Where the copies of the packages of all versions lie.
std::string PinnedFolder(const std::string& job_run_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_PACKAGE_PIN_H_
