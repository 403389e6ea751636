#ifndef VERNIER_CLUSTER_CODE_CODE_SNAPSHOT_H_
#define VERNIER_CLUSTER_CODE_CODE_SNAPSHOT_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "cluster/code/code_survey.h"

namespace vernier {

/// How far a snapshot is; other threads may read it meanwhile.
struct CodeSnapshotProgress {
  std::atomic<std::int64_t> files{0};     ///< Files and links copied so far.
  std::atomic<std::int64_t> of_files{0};  ///< Of so many; 0: not counted yet.
};

/// Copies a job's code, so that editing the folder later changes no running
/// study. Regular files keep their mode; a symbolic link is copied if it is
/// relative and stays inside; sockets, pipes and devices are passed over, as
/// are version control, caches of Python and its tools, and the excluded
/// folder. Files are counted before the first byte is copied, shared with the
/// source where the file system can (reflinks), and copied in parallel.
///
/// `destination` (absolute; parents are made) appears complete and synced, or
/// not at all. If it is there already, nothing is copied and the answer is
/// empty sizes: repeating a submission is harmless. `progress` may be null.
///
/// Errors: NOT_FOUND if `source` is no folder; INVALID_ARGUMENT if a link
/// leads out or beyond the limits, naming them; else the errno's code with the
/// path, e.g. RESOURCE_EXHAUSTED on a full disk.
absl::StatusOr<CodeSnapshotSize> SnapshotCode(
    const std::string& source, const std::string& destination,
    const CodeSnapshotOptions& options = {},
    CodeSnapshotProgress* progress = nullptr);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_SNAPSHOT_H_
