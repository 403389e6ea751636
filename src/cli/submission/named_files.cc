#include "cli/submission/named_files.h"

#include <cstddef>
#include <system_error>

#include "absl/strings/str_replace.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

bool IsModuleBelow(const fs::path& folder, const std::string& module) {
  const std::string path = absl::StrReplaceAll(module, {{".", "/"}});
  std::error_code error;
  return !path.empty() && path.front() != '/' &&
         (fs::exists(folder / (path + ".py"), error) ||
          fs::is_directory(folder / path, error));
}

}  // namespace

bool IsFileBelow(const fs::path& folder, const std::string& word) {
  if (word.empty() || word.front() == '/' || word.front() == '-') return false;
  const fs::path path = fs::path(word).lexically_normal();
  std::error_code error;
  return !path.empty() && *path.begin() != ".." &&
         fs::exists(folder / path, error);
}

bool NamesFilesBelow(const fs::path& folder,
                     const std::vector<std::string>& command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (IsFileBelow(folder, command[i])) return true;
    const bool is_module = i > 0 && command[i - 1] == "-m";
    if (is_module && IsModuleBelow(folder, command[i])) return true;
  }
  return false;
}

}  // namespace vernier
