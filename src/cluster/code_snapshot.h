#ifndef VERNIER_CLUSTER_CODE_SNAPSHOT_H_
#define VERNIER_CLUSTER_CODE_SNAPSHOT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace vernier {

struct CodeSnapshotOptions {
  std::int64_t max_files = 20'000;  ///< Regular files and links; > 0.
  std::int64_t max_bytes = 512ll * 1024 * 1024;  ///< Together; > 0.
  /// A folder to pass over, should it lie inside: the service's data. Empty:
  /// the one that the snapshot itself lies in.
  std::string excluded_dir;
};

/// What a snapshot holds.
struct CodeSnapshotSize {
  std::int64_t files = 0;  ///< Regular files and links.
  std::int64_t bytes = 0;
};

/// Copies a job's code, so that editing the folder later changes no running
/// study. Regular files keep their mode; a symbolic link is copied if it is
/// relative and stays inside; sockets, pipes and devices are passed over, as
/// are version control, caches of Python and its tools, and the excluded
/// folder.
///
/// `destination` (absolute; parents are made) appears complete and synced, or
/// not at all. If it is there already, nothing is copied and the answer is
/// empty sizes: repeating a submission is harmless.
///
/// Errors: NOT_FOUND if `source` is no folder; INVALID_ARGUMENT if a link
/// leads out; RESOURCE_EXHAUSTED beyond the limits, naming them; else the
/// errno's code with the path.
absl::StatusOr<CodeSnapshotSize> SnapshotCode(
    const std::string& source, const std::string& destination,
    const CodeSnapshotOptions& options = {});

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_SNAPSHOT_H_
