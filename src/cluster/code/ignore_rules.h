#ifndef VERNIER_CLUSTER_CODE_IGNORE_RULES_H_
#define VERNIER_CLUSTER_CODE_IGNORE_RULES_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cluster/code/ignore_pattern.h"

namespace vernier {

/// The name of the file in a code folder that lists what is not copied.
inline constexpr char kIgnoreFile[] = ".vernierignore";
/// Limits of one such file.
inline constexpr std::size_t kMaxIgnoreBytes = std::size_t{256} << 10;
inline constexpr std::size_t kMaxIgnorePatterns = 1000;

/// A line that decides about a path.
struct IgnoreLine {
  std::string file;  ///< Relative to the code folder.
  int number = 0;    ///< From 1.
  std::string text;
  IgnorePattern pattern;
};

/// The lines of the .vernierignore of one folder and of the folders above it.
/// As in git, the last matching line of the deepest file decides. Immutable.
class IgnoreRules {
 public:
  using Ptr = std::shared_ptr<const IgnoreRules>;  ///< Shared by sub-folders.

  /// `folder` is relative to the code folder, and empty for that folder itself.
  /// `above` has the rules of the parent folder; null if there are none.
  /// RESOURCE_EXHAUSTED beyond kMaxIgnorePatterns.
  static absl::StatusOr<Ptr> Parse(const std::string& text,
                                   const std::string& folder, Ptr above);

  /// Reads the .vernierignore of the folder `path`, which is open as `fd`, if
  /// there is one; otherwise returns `above`. Errors: as Parse; the errno's
  /// code; INVALID_ARGUMENT if it is not a regular file.
  static absl::StatusOr<Ptr> ReadIn(int fd, const std::string& path,
                                    const std::string& folder, Ptr above);

  /// Returns the line that leaves `path` out; null if none does. `path` is
  /// relative to the code folder and must be in this folder. The caller must
  /// check whether a folder above is left out.
  const IgnoreLine* LeavesOut(std::string_view path, EntryKind kind) const;

 private:
  std::size_t skip_ = 0;  ///< Of a path: this folder's name and a slash.
  std::vector<IgnoreLine> lines_;
  Ptr above_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_IGNORE_RULES_H_
