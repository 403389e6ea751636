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
  /// A folder to skip if it lies inside: the service's data. Empty: the one
  /// that contains the snapshot itself.
  std::string excluded_dir;
  /// Another folder to skip: the job's output is not its code.
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
    /// Absolute if it leads out of the folder, as it may have been written.
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

/// Lists what a snapshot of `source` would copy, without reading any file.
/// Folders are read in parallel, and an entry beyond a limit ends the
/// work, once it is known where most of it is; `max_files` also limits the
/// number of folders. `excluded_dir` and `output_dir` are skipped, and so is
/// what left_out.h says and what a .vernierignore names (ignore_rules.h).
///
/// Errors: INVALID_ARGUMENT if a limit is exceeded; the message then names the
/// largest folders as lines for a .vernierignore. Those of IgnoreRules::ReadIn.
/// Otherwise the errno's code with the path.
absl::StatusOr<CodeSurvey> SurveyCode(const std::string& source,
                                      const CodeSnapshotOptions& options);

/// What a user should know about the copy, a sentence each: what is left out,
/// and which links lead out of the folder. Pure.
std::vector<std::string> NotesOf(const CodeSurvey& survey);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_SURVEY_H_
