#include "cluster/local/work_folder.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/code/output_folders.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

bool IsOutput(const std::filesystem::directory_entry& entry) {
  std::error_code error;
  return IsOutputName(entry.path().filename().string()) &&
         entry.is_directory(error);
}

absl::StatusOr<std::vector<std::string>> EntriesOf(const std::string& folder,
                                                   std::size_t most) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  while (!error && entry != std::filesystem::directory_iterator() &&
         names.size() < most) {
    if (!IsOutput(*entry)) names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  if (error) return absl::ErrnoToStatus(error.value(), folder);
  return names;
}

absl::Status Link(const std::string& target, const std::string& path) {
  if (::symlink(target.c_str(), path.c_str()) == 0 || errno == EEXIST) {
    return absl::OkStatus();
  }
  return absl::ErrnoToStatus(errno, path);
}

}  // namespace

absl::Status MakeWorkFolder(const std::string& folder,
                            const std::string& code_dir) {
  if (code_dir.empty()) return MakeDirectories(folder);
  VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           EntriesOf(code_dir, kMaxCodeLinks + 1));
  if (names.size() > kMaxCodeLinks) return Link(code_dir, folder);
  VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
  for (const std::string& name : names) {
    VERNIER_RETURN_IF_ERROR(Link(absl::StrCat(code_dir, "/", name),
                                 absl::StrCat(folder, "/", name)));
  }
  return absl::OkStatus();
}

}  // namespace vernier
