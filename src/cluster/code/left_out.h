#ifndef VERNIER_CLUSTER_CODE_LEFT_OUT_H_
#define VERNIER_CLUSTER_CODE_LEFT_OUT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/code/ignore_pattern.h"

namespace vernier {

/// Why something in a code folder is not copied.
enum class LeftOutWhy {
  kVersionControl,  ///< .git and its like.
  kCache,           ///< Of Python and its tools.
  kEnvironment,     ///< A virtual environment works only at its own place.
  kOutputs,         ///< Of earlier runs; see output_folders.h.
  kIgnored,         ///< A .vernierignore names it.
};

/// A file or folder of a code folder that is not copied.
struct LeftOut {
  std::string path;  ///< Relative to the code folder.
  EntryKind kind = EntryKind::kFolder;
  LeftOutWhy why = LeftOutWhy::kCache;
  std::string line = "";  ///< Of kIgnored: "line 3 of .vernierignore".
};

/// What is never copied, by its name. Virtual environments are known by what
/// they contain, too. `path` is relative to the code folder. Pure.
std::optional<LeftOutWhy> NeverCopied(std::string_view path, EntryKind kind);

/// Whether the folder `name` in the open `folder_fd` is a virtual or conda
/// environment.
bool IsEnvironmentFolder(int folder_fd, const std::string& name);

/// "version control": for people.
std::string_view ReasonText(LeftOutWhy why);

/// Why something "was not copied": "because of line 2 of .vernierignore".
std::string WhyText(const LeftOut& one);

/// One line for people about all that is left out of a copy; empty if nothing
/// is. At most a few names of each kind are named, and `count`, which may be
/// more than those in `list`, says how many there are. Pure.
std::string LeftOutText(const std::vector<LeftOut>& list, std::size_t count);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_LEFT_OUT_H_
