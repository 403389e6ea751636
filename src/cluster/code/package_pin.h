#ifndef VERNIER_CLUSTER_CODE_PACKAGE_PIN_H_
#define VERNIER_CLUSTER_CODE_PACKAGE_PIN_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "buckets/bucket_store.h"
#include "study/job_spec.h"

namespace vernier {

/// The packages of a job are the files that packageUris named when the job was
/// submitted. They are copied then, and their SHA-256 hashes are stored with
/// the job. Only files with these hashes are installed, wherever they come
/// from.

/// The most bytes that all packages of a job may have together.
inline constexpr std::int64_t kMaxPackageBytes = std::int64_t{4} << 30;

/// Opens a packageUri for reading, on behalf of a job of `project`: an object
/// of a bucket that the project may read, or a file by its path.
///
/// Errors, naming the URI: INVALID_ARGUMENT if there is no such file or object
/// for that project; else an errno's code.
absl::StatusOr<UniqueFd> OpenPackage(BucketStore& buckets,
                                     const std::string& uri,
                                     const std::string& project);

/// Copies everything that can be read from `source` to the new file `target`,
/// mode 0600, and returns its SHA-256. The copy is not synced.
/// RESOURCE_EXHAUSTED beyond `max_bytes`; otherwise an errno's code.
absl::StatusOr<std::string> CopyHashed(int source, const std::string& target,
                                       std::int64_t max_bytes);

/// Returns the path below `folder` of the copy of a package with this hash. The
/// file has the package's own name, because pip reads it.
std::string PinnedPackagePath(const std::string& folder,
                              const std::string& sha256,
                              const std::string& uri);

/// Copies a job's packages to `folder`, which is made, syncs them, and returns
/// their hashes. INVALID_ARGUMENT as OpenPackage; RESOURCE_EXHAUSTED beyond
/// kMaxPackageBytes or for a full disk. After a failure, finished copies stay.
absl::StatusOr<PackageHashes> PinPackages(BucketStore& buckets,
                                          const JobSpec& spec,
                                          const std::string& project,
                                          const std::string& folder);

/// Returns the folder of a job's runs, given the folder of one of its attempts.
std::string JobRunDirOf(const std::string& attempt_run_dir);
/// Returns the folder in which the packages of one version of a job are
/// installed.
std::string PackageDirOf(const std::string& job_run_dir, int code_version);
/// Returns the folder of the copies of the packages of all versions.
std::string PinnedFolder(const std::string& job_run_dir);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_PACKAGE_PIN_H_
