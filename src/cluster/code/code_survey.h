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
  /// A folder to pass over, should it lie inside: the service's data. Empty:
  /// the one that the snapshot itself lies in.
  std::string excluded_dir;
  /// Likewise, where the job writes: what comes out of it is not its code.
  std::string output_dir = "";
};

/// What a snapshot holds.
struct CodeSnapshotSize {
  std::int64_t files = 0;  ///< Regular files and links.
  std::int64_t bytes = 0;
};

/// What a code folder holds, by paths relative to it.
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

/// Lists what a snapshot of `source` would copy, without reading any file:
/// folders are read in parallel, and the first entry beyond a limit ends the
/// work. At most `max_files` folders, too. `excluded_dir` and
/// `output_dir` are passed over, and so is what lies in a virtual environment.
///
/// Errors: INVALID_ARGUMENT if a link leads out, or beyond the limits, naming
/// the limit and where most of the files are; else the errno's code with the
/// path.
absl::StatusOr<CodeSurvey> SurveyCode(const std::string& source,
                                      const CodeSnapshotOptions& options);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_SURVEY_H_
