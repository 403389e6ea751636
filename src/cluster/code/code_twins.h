#ifndef VERNIER_CLUSTER_CODE_CODE_TWINS_H_
#define VERNIER_CLUSTER_CODE_CODE_TWINS_H_

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "store/records.h"

namespace vernier {

/// Distinguishes, in the working directories of a job's attempts, the copies of
/// the job's code from the files that programs left: the latter are new, or
/// differ in size or time of last change (which CopyCodeFile keeps) from the
/// file of that path in the pinned code. Reads the file system.
class CodeTwins {
 public:
  /// `code_dirs` are absolute folders of pinned code; may be empty.
  explicit CodeTwins(std::vector<std::string> code_dirs = {})
      : code_dirs_(std::move(code_dirs)) {}

  /// Returns the twins of all versions of a job's code.
  static CodeTwins Of(const JobRun& run);

  /// Returns whether the entry at `path` in `work_dir`, whose stat is `info`,
  /// is a file or link just as in the code, or a link to shared code.
  bool IsOfCode(const std::string& work_dir, const std::string& path,
                const struct stat& info) const;

  /// Returns whether the code has a folder of this path.
  bool HasFolder(const std::string& path) const;

 private:
  std::vector<std::string> code_dirs_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_TWINS_H_
