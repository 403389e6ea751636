#ifndef VERNIER_CLUSTER_CODE_LEFT_OUT_H_
#define VERNIER_CLUSTER_CODE_LEFT_OUT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/code/ignore_pattern.h"

namespace vernier {

/// The reason why an entry of a code folder is not copied.
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

/// Returns why an entry is never copied, by its name; nullopt if it may be.
/// Virtual environments are also recognized by their contents
/// (IsEnvironmentFolder). `path` is relative to the code folder. Pure.
std::optional<LeftOutWhy> NeverCopied(std::string_view path, EntryKind kind);

/// Returns whether the folder `name` in the open `folder_fd` is a virtual or
/// conda environment.
bool IsEnvironmentFolder(int folder_fd, const std::string& name);

/// Returns a text for people, such as "version control".
std::string_view ReasonText(LeftOutWhy why);

/// Returns why something "was not copied": "because of line 2 of
/// .vernierignore".
std::string WhyText(const LeftOut& one);

/// Returns one line for people about everything that is left out of a copy;
/// empty if nothing is. It names at most a few entries of each kind, and gives
/// the total `count`, which may exceed the size of `list`. Pure.
std::string LeftOutText(const std::vector<LeftOut>& list, std::size_t count);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_LEFT_OUT_H_
