#include "cluster/gang/work_folder.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/process/descriptor_range.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/code/code_survey.h"
#include "cluster/code/code_twins.h"
#include "cluster/code/file_copy.h"
#include "cluster/code/shared_code.h"

namespace vernier {
namespace {

// A working directory is filled from a survey of the code. own_ has the real
// folders in it, and nothing is written anywhere else, because a program may
// have replaced a folder by a link to somewhere else.

namespace fs = std::filesystem;

// The limits do not apply here: the code was checked when it was pinned.
constexpr std::int64_t kNoLimit = std::int64_t{1} << 40;

std::string Below(const std::string& folder, const std::string& path) {
  return absl::StrCat(folder, "/", path);
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

bool IsFolder(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

/// Fills a working directory. Existing entries are left alone, and so is
/// everything below a place where a program has replaced a folder.
class WorkFolder {
 public:
  WorkFolder(std::string folder, std::string code_dir)
      : folder_(std::move(folder)), code_dir_(std::move(code_dir)) {}

  absl::Status Fill() {
    VERNIER_ASSIGN_OR_RETURN(const CodeSurvey survey,
                             SurveyCode(code_dir_, {.max_files = kNoLimit,
                                                    .max_bytes = kNoLimit,
                                                    .excluded_dir = "",
                                                    .output_dir = ""}));
    for (const SharedEntry& entry : SharedEntries(survey)) {
      shared_.insert(entry.path);
    }
    for (const std::string& folder : survey.folders) {
      if (!shared_.contains(folder) && IsOwn(FolderOf(folder))) {
        VERNIER_RETURN_IF_ERROR(MakeFolder(folder));
      }
    }
    for (const std::string& path : shared_) {
      VERNIER_RETURN_IF_ERROR(MakeLink(Below(code_dir_, path), path));
    }
    for (const CodeSurvey::Link& link : survey.links) {
      if (shared_.contains(link.path)) continue;
      VERNIER_RETURN_IF_ERROR(MakeLink(link.target, link.path));
    }
    std::vector<char> buffer(kCopyBuffer);
    for (const CodeSurvey::File& file : survey.files) {
      if (shared_.contains(file.path) || !IsOwn(FolderOf(file.path))) continue;
      VERNIER_RETURN_IF_ERROR(
          CopyCodeFile(file, Below(code_dir_, file.path),
                       Below(folder_, file.path), buffer,
                       [](std::int64_t) { return absl::OkStatus(); })
              .status());
    }
    return absl::OkStatus();
  }

 private:
  bool IsOwn(const std::string& folder) const { return own_.contains(folder); }

  absl::Status MakeFolder(const std::string& path) {
    const std::string full = Below(folder_, path);
    if (::mkdir(full.c_str(), 0700) == 0 ||
        (errno == EEXIST && IsFolder(full))) {
      own_.insert(path);
      return absl::OkStatus();
    }
    if (errno == EEXIST) return absl::OkStatus();
    return absl::ErrnoToStatus(errno, full);
  }

  absl::Status MakeLink(const std::string& target, const std::string& path) {
    if (!IsOwn(FolderOf(path))) return absl::OkStatus();
    const std::string full = Below(folder_, path);
    if (::symlink(target.c_str(), full.c_str()) == 0 || errno == EEXIST) {
      return absl::OkStatus();
    }
    return absl::ErrnoToStatus(errno, full);
  }

  const std::string folder_;
  const std::string code_dir_;
  std::set<std::string> shared_;
  std::set<std::string> own_{""};  // Real folders of it.
};

// Returns the entries of `folder`, which lies in `root`, by their paths below
// the root.
std::vector<std::string> EntriesOf(const std::string& root,
                                   const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator
           entry(folder.empty() ? root : Below(root, folder), error),
       end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    paths.push_back(folder.empty() ? name : Below(folder, name));
  }
  return paths;
}

void Tidy(const std::string& root, const std::string& folder,
          const CodeTwins& code) {
  for (const std::string& path : EntriesOf(root, folder)) {
    const std::string full = Below(root, path);
    struct stat info;
    if (::lstat(full.c_str(), &info) != 0) continue;
    if (S_ISDIR(info.st_mode)) {
      // A folder that the program has made is kept with all of its contents.
      if (!code.HasFolder(path)) continue;
      Tidy(root, path, code);
      ::rmdir(full.c_str());  // Fails unless it is empty.
    } else if (code.IsOfCode(root, path, info)) {
      ::unlink(full.c_str());
    }
  }
}

absl::Status OpenTreeToAll(const std::string& path) {
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0)
    return absl::ErrnoToStatus(errno, path);
  const bool is_folder = S_ISDIR(info.st_mode);
  if (!is_folder && !S_ISREG(info.st_mode)) return absl::OkStatus();
  // Everybody gets the owner's rights.
  const mode_t owner = (info.st_mode & S_IRWXU) | S_IRUSR | S_IWUSR;
  const mode_t rights = is_folder ? 0777 : owner | owner >> 3 | owner >> 6;
  if (::chmod(path.c_str(), rights) != 0) {
    return absl::ErrnoToStatus(errno, path);
  }
  if (!is_folder) return absl::OkStatus();
  for (const std::string& name : EntriesOf(path, "")) {
    VERNIER_RETURN_IF_ERROR(OpenTreeToAll(Below(path, name)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status MakeWorkFolder(const std::string& folder,
                            const std::string& code_dir) {
  if (code_dir.empty()) return MakeDirectories(folder);
  struct stat info;
  if (::lstat(folder.c_str(), &info) == 0) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(MakeDirectories(FolderOf(folder)));
  const std::string draft = absl::StrCat(folder, ".partial");
  std::error_code ignored;
  fs::remove_all(draft, ignored);  // Of a process that was killed meanwhile.
  if (::mkdir(draft.c_str(), 0700) != 0)
    return absl::ErrnoToStatus(errno, draft);
  VERNIER_RETURN_IF_ERROR(WorkFolder(draft, code_dir).Fill());
  if (::rename(draft.c_str(), folder.c_str()) != 0) {
    return absl::ErrnoToStatus(errno, folder);
  }
  return absl::OkStatus();
}

void TidyWorkFolder(const std::string& folder, const std::string& code_dir) {
  // If the code is gone, or the folder is the code itself, nothing can be
  // removed.
  if (code_dir.empty() || !IsFolder(folder)) return;
  Tidy(folder, "", CodeTwins({code_dir}));
}

void TidyWorkFolderBehind(const std::string& folder,
                          const std::string& code_dir) {
  if (code_dir.empty() || ::fork() != 0) return;
  // The caller's open descriptors, including locks and pipes, must end with the
  // caller.
  EndDescriptors(0, ~0U, DescriptorEnd::kNow);
  ::setpriority(PRIO_PROCESS, 0, 19);
  TidyWorkFolder(folder, code_dir);
  ::_exit(0);
}

absl::Status RestoreWorkFolder(const std::string& folder,
                               const std::string& code_dir) {
  if (code_dir.empty() || !IsFolder(folder)) return absl::OkStatus();
  return WorkFolder(folder, code_dir).Fill();
}

absl::Status OpenWorkFolderToAll(const std::string& folder) {
  // A link leads to files that do not belong to the attempt.
  if (fs::is_symlink(folder)) return absl::OkStatus();
  VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
  return OpenTreeToAll(folder);
}

}  // namespace vernier
