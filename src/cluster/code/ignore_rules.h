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

/// The file in a code folder that names what is not copied.
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

/// The lines of the .vernierignore of one folder and of those above it, as git
/// has it: of the lines that match, the last of the deepest file decides.
/// Immutable.
class IgnoreRules {
 public:
  using Ptr = std::shared_ptr<const IgnoreRules>;  ///< Shared by sub-folders.

  /// `folder` is relative to the code folder, empty for itself; `above` is that
  /// of the folder it lies in, null: there are none. RESOURCE_EXHAUSTED beyond
  /// kMaxIgnorePatterns.
  static absl::StatusOr<Ptr> Parse(const std::string& text,
                                   const std::string& folder, Ptr above);

  /// Reads the .vernierignore of the folder `path`, which is open as `fd`, if
  /// there is one; otherwise the answer is `above`. Errors: as Parse; the
  /// errno's code; INVALID_ARGUMENT if it is no regular file.
  static absl::StatusOr<Ptr> ReadIn(int fd, const std::string& path,
                                    const std::string& folder, Ptr above);

  /// The line that leaves `path` out, which is relative to the code folder and
  /// lies in this folder; null: none does. Whether a folder above is left out
  /// is the caller's question.
  const IgnoreLine* LeavesOut(std::string_view path, EntryKind kind) const;

 private:
  std::size_t skip_ = 0;  ///< Of a path: this folder's name and a slash.
  std::vector<IgnoreLine> lines_;
  Ptr above_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_IGNORE_RULES_H_
