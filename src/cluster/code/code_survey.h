#ifndef VERNIER_CLUSTER_CODE_CODE_SURVEY_H_
#define VERNIER_CLUSTER_CODE_CODE_SURVEY_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

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
  };
  struct Link {
    std::string path;
    std::string target;
  };
  std::vector<std::string> folders;  ///< Each after the one it lies in.
  std::vector<File> files;           ///< Regular ones; those of a folder stay
                                     ///< together.
  std::vector<Link> links;
  CodeSnapshotSize size;
};

/// Lists what a snapshot of `source` would copy, without reading any file.
/// Folders are read in parallel, and the first entry beyond a limit ends the
/// work; `max_files` also limits the number of folders. `excluded_dir`,
/// `output_dir`, virtual environments and, right below `source`, the folders of
/// output_folders.h are skipped.
///
/// Errors: INVALID_ARGUMENT if a link leads out, or if a limit is exceeded; the
/// message then names it and the folder with most of the files. Otherwise the
/// errno's code with the path.
absl::StatusOr<CodeSurvey> SurveyCode(const std::string& source,
                                      const CodeSnapshotOptions& options);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_SURVEY_H_
