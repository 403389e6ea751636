#include "cluster/code/code_twins.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

std::string TargetOf(const std::string& link) {
  std::error_code error;
  return fs::read_symlink(link, error).string();
}

}  // namespace

CodeTwins CodeTwins::Of(const JobRun& run) {
  std::vector<std::string> code_dirs = {run.code_dir};
  for (const auto& version : run.earlier_versions) {
    code_dirs.push_back(version->code_dir);
  }
  std::erase(code_dirs, "");
  return CodeTwins(std::move(code_dirs));
}

bool CodeTwins::IsOfCode(const std::string& work_dir, const std::string& path,
                         const struct stat& info) const {
  const bool is_link = S_ISLNK(info.st_mode);
  if (!is_link && !S_ISREG(info.st_mode)) return false;
  const std::string target =
      is_link ? TargetOf(absl::StrCat(work_dir, "/", path)) : "";
  return std::any_of(
      code_dirs_.begin(), code_dirs_.end(), [&](const std::string& dir) {
        const std::string twin = absl::StrCat(dir, "/", path);
        if (is_link && target == twin) return true;
        struct stat original;
        if (::lstat(twin.c_str(), &original) != 0) return false;
        if (is_link) {
          return S_ISLNK(original.st_mode) && TargetOf(twin) == target;
        }
        return S_ISREG(original.st_mode) && original.st_size == info.st_size &&
               original.st_mtim.tv_sec == info.st_mtim.tv_sec &&
               original.st_mtim.tv_nsec == info.st_mtim.tv_nsec;
      });
}

bool CodeTwins::HasFolder(const std::string& path) const {
  return std::any_of(
      code_dirs_.begin(), code_dirs_.end(), [&](const std::string& dir) {
        struct stat info;
        return ::lstat(absl::StrCat(dir, "/", path).c_str(), &info) == 0 &&
               S_ISDIR(info.st_mode);
      });
}

}  // namespace vernier
