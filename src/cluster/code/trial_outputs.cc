#include "cluster/code/trial_outputs.h"

#include <filesystem>
#include <system_error>

#include "cluster/code/left_out.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

/// A walk that ends after a number of entries. What cannot be read counts for
/// nothing.
class OutputWalk {
 public:
  explicit OutputWalk(std::size_t most) : left_(most) {}

  /// Calls `visit` with each entry of `folder`, which is not followed if it is
  /// a link.
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

  void AddWorkFolder(const fs::path& folder) {
    ForEachIn(folder, [&](const fs::directory_entry& entry) {
      std::error_code error;
      const fs::file_status status = entry.symlink_status(error);
      if (error) return;
      const std::string name = entry.path().filename();
      if (fs::is_directory(status)) {
        if (NeverCopied("x/" + name, EntryKind::kFolder) !=
            LeftOutWhy::kCache) {
          AddWorkFolder(entry.path());
        }
      } else if (fs::is_regular_file(status)) {
        const std::uintmax_t bytes = entry.file_size(error);
        ++count_.files;
        count_.bytes += error ? 0 : static_cast<std::int64_t>(bytes);
      }
    });
  }

  const OutputCount& count() const { return count_; }

 private:
  std::size_t left_;
  OutputCount count_;
};

}  // namespace

OutputCount CountOutputsBelow(const std::string& run_dir, std::size_t most) {
  OutputWalk walk(most);
  // run_dir/TRIAL/ATTEMPT/work.
  walk.ForEachIn(run_dir, [&](const fs::directory_entry& trial) {
    walk.ForEachIn(trial.path(), [&](const fs::directory_entry& attempt) {
      walk.AddWorkFolder(WorkDirectory(attempt.path()));
    });
  });
  return walk.count();
}

}  // namespace vernier
