#ifndef VERNIER_CLUSTER_CODE_CODE_TWINS_H_
#define VERNIER_CLUSTER_CODE_CODE_TWINS_H_

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "store/records.h"

namespace vernier {

/// What the working directories of a job's attempts have from its code, and
/// what its programs have left there: the latter is new, or differs from the
/// file of that path in the job's pinned code in its size or the time of its
/// last change, which CopyCodeFile keeps. Reads the file system.
class CodeTwins {
 public:
  /// `code_dirs` are absolute folders of pinned code; may be empty.
  explicit CodeTwins(std::vector<std::string> code_dirs = {})
      : code_dirs_(std::move(code_dirs)) {}

  /// Of all versions of a job's code.
  static CodeTwins Of(const JobRun& run);

  /// Whether what lies at `path` in `work_dir`, and has `info`, is a file or
  /// link just as the code has it, or the link to what attempts share of it.
  bool IsOfCode(const std::string& work_dir, const std::string& path,
                const struct stat& info) const;

  /// Whether the code has a folder of this path.
  bool HasFolder(const std::string& path) const;

 private:
  std::vector<std::string> code_dirs_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_CODE_TWINS_H_
