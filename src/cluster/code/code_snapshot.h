#ifndef VERNIER_CLUSTER_CODE_CODE_SNAPSHOT_H_
#define VERNIER_CLUSTER_CODE_CODE_SNAPSHOT_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/code/code_survey.h"

namespace vernier {

/// The progress of a snapshot; other threads may read it meanwhile.
struct CodeSnapshotProgress {
  std::atomic<std::int64_t> files{0};  ///< Files and links copied so far.
  std::atomic<std::int64_t> of_files{
      0};  ///< How many there are; 0: not counted yet.
};

/// A finished copy.
struct CodeSnapshot {
  std::int64_t files = 0;  ///< Regular files and links.
  std::int64_t bytes = 0;
  std::vector<std::string> notes;  ///< NotesOf it, and what trials share of it.
};

/// Copies a job's code, so that later edits of the folder do not affect a
/// running study. Regular files keep their permissions, but no set-uid or
/// set-gid bit, and the time of their last change. A symbolic link stays one,
/// even if it leads out of the folder. Sockets, pipes and devices are skipped,
/// and so is everything that SurveyCode skips. Files are counted before the
/// first byte is copied. They share their blocks with the source if the file
/// system supports it (reflinks), and are copied in parallel.
///
/// `destination` (absolute; parents are made) appears complete and synced, or
/// not at all. If it exists already, nothing is copied and the sizes are 0, so
/// a submission may be repeated. `progress` may be null.
///
/// Errors: NOT_FOUND if `source` is not a folder; those of SurveyCode;
/// otherwise the errno's code with the path, e.g. RESOURCE_EXHAUSTED on a full
/// disk.
absl::StatusOr<CodeSnapshot> SnapshotCode(
    const std::string& source, const std::string& destination,
    const CodeSnapshotOptions& options = {},
    CodeSnapshotProgress* progress = nullptr);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_SNAPSHOT_H_
