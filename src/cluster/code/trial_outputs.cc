#include "cluster/code/trial_outputs.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "cluster/code/left_out.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// A walk that ends after a number of entries. Unreadable folders are ignored.
class OutputWalk {
 public:
  OutputWalk(const CodeTwins& code, std::size_t most)
      : code_(code), left_(most) {}

  /// Calls `visit` with each entry of `folder`, unless that is a link.
  template <typename Visit>
  void ForEachIn(const fs::path& folder, const Visit& visit) {
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(folder, error))) return;
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end; entry.increment(error)) {
      if (left_ == 0) {
        count_.is_cut = true;
        return;
      }
      --left_;
      visit(*entry);
    }
  }

  /// Counts in the folder at `path` of a working directory; in all of it if
  /// `path` is empty.
  void AddFolder(const std::string& work_dir, const std::string& path) {
    const std::string full =
        path.empty() ? work_dir : absl::StrCat(work_dir, "/", path);
    ForEachIn(full, [&](const fs::directory_entry& entry) {
      struct stat info;
      if (::lstat(entry.path().c_str(), &info) != 0) return;
      const std::string name = entry.path().filename();
      const std::string inner =
          path.empty() ? name : absl::StrCat(path, "/", name);
      if (S_ISDIR(info.st_mode)) {
        if (NeverCopied("x/" + name, EntryKind::kFolder) !=
            LeftOutWhy::kCache) {
          AddFolder(work_dir, inner);
        }
      } else if (S_ISREG(info.st_mode) &&
                 !code_.IsOfCode(work_dir, inner, info)) {
        ++count_.files;
        count_.bytes += info.st_size;
      }
    });
  }

  const OutputCount& count() const { return count_; }

 private:
  const CodeTwins& code_;
  std::size_t left_;
  OutputCount count_;
};

}  // namespace

OutputCount CountOutputsBelow(const std::string& run_dir, const CodeTwins& code,
                              std::size_t most) {
  OutputWalk walk(code, most);
  // The folders are run_dir/TRIAL/ATTEMPT/work.
  walk.ForEachIn(run_dir, [&](const fs::directory_entry& trial) {
    walk.ForEachIn(trial.path(), [&](const fs::directory_entry& attempt) {
      walk.AddFolder(WorkDirectory(attempt.path()), "");
    });
  });
  return walk.count();
}

OutputCount CountOutputsIn(const std::string& work_dir, const std::string& path,
                           const CodeTwins& code, std::size_t most) {
  OutputWalk walk(code, most);
  walk.AddFolder(work_dir, path);
  return walk.count();
}

}  // namespace vernier
