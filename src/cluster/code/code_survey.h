#ifndef VERNIER_CLUSTER_CODE_CODE_SURVEY_H_
#define VERNIER_CLUSTER_CODE_CODE_SURVEY_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/code/left_out.h"

namespace vernier {

struct CodeSnapshotOptions {
  std::int64_t max_files = 20'000;  ///< Regular files and links; > 0.
  std::int64_t max_bytes = 512ll * 1024 * 1024;  ///< Together; > 0.
  /// A folder to skip if it is inside: the service's data. If empty, the folder
  /// that contains the snapshot itself.
  std::string excluded_dir;
  /// Another folder to skip, because the job's output is not its code.
  std::string output_dir = "";
};

/// The size of a snapshot.
struct CodeSnapshotSize {
  std::int64_t files = 0;  ///< Regular files and links.
  std::int64_t bytes = 0;
};

/// The contents of a code folder, by paths relative to it.
struct CodeSurvey {
  struct File {
    std::string path;
    mode_t mode = 0;
    std::int64_t bytes = 0;
    timespec modified{};
  };
  struct Link {
    std::string path;
    /// The target as it was written, but made absolute if it leads out of the
    /// folder.
    std::string target;
  };
  std::vector<std::string> folders;  ///< Each after the one it lies in.
  std::vector<File> files;           ///< Regular ones; those of a folder stay
                                     ///< together.
  std::vector<Link> links;
  std::vector<LeftOut> left_out;  ///< At most kMaxLeftOut; in any order.
  std::size_t left_out_count = 0;
  CodeSnapshotSize size;
};

inline constexpr std::size_t kMaxLeftOut = 1000;

/// Lists the entries that a snapshot of `source` would copy, without reading
/// any file. Folders are read in parallel. If a limit is exceeded, the work
/// ends soon after, once it is known where most entries are; `max_files` also
/// limits the number of folders. `excluded_dir` and `output_dir` are skipped,
/// and so are the entries that left_out.h or a .vernierignore (ignore_rules.h)
/// leaves out.
///
/// Errors: INVALID_ARGUMENT if a limit is exceeded; the message then names the
/// largest folders as lines for a .vernierignore. Those of IgnoreRules::ReadIn.
/// Otherwise the errno's code with the path.
absl::StatusOr<CodeSurvey> SurveyCode(const std::string& source,
                                      const CodeSnapshotOptions& options);

/// Returns notes for the user about the copy, a sentence each: the entries that
/// are left out, and the links that lead out of the folder. Pure.
std::vector<std::string> NotesOf(const CodeSurvey& survey);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_SURVEY_H_
