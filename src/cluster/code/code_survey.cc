#include "cluster/code/code_survey.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/code/output_folders.h"
#include "cluster/code/parallel_work.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 11> kPassedOver = {
    ".git",
    ".hg",
    ".svn",
    "__pycache__",
    ".mypy_cache",
    ".tox",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
    ".ipynb_checkpoints",
};

struct FolderId {
  dev_t device;
  ino_t inode;
};

absl::Status ErrnoAt(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, what + " " + path);
}

std::optional<FolderId> IdOf(const std::string& path) {
  struct stat info;
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FolderId{info.st_dev, info.st_ino};
}

// Whether a relative link at `depth` folders below the root leads out of it.
bool LeadsOut(const std::string& target, std::ptrdiff_t depth) {
  if (target.empty() || target.front() == '/') return true;
  for (const fs::path& part : fs::path(target)) {
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (part != "." && !part.empty()) {
      ++depth;
    }
  }
  return false;
}

absl::StatusOr<CodeSurvey::Link> ReadLink(const std::string& root,
                                          const std::string& path) {
  const std::string from = absl::StrCat(root, "/", path);
  char target[4096];
  const ssize_t n = ::readlink(from.c_str(), target, sizeof(target));
  if (n < 0) return ErrnoAt("cannot read link", from);
  const std::string text(target, static_cast<std::size_t>(n));
  if (LeadsOut(text, std::count(path.begin(), path.end(), '/'))) {
    return absl::InvalidArgumentError(
        "a link in the code folder must be relative and stay inside it: " +
        from + " -> " + text);
  }
  return CodeSurvey::Link{path, text};
}

// "; most of them are in data/", if one top-level folder has half of the files.
std::string MostAreIn(const CodeSurvey& survey) {
  std::map<std::string, std::size_t> counts;
  for (const CodeSurvey::File& file : survey.files) {
    const std::size_t slash = file.path.find('/');
    if (slash != std::string::npos) ++counts[file.path.substr(0, slash)];
  }
  for (const auto& [folder, count] : counts) {
    if (2 * count > survey.files.size()) {
      return absl::StrCat("; most of them are in ", folder, "/");
    }
  }
  return "";
}

/// Reads folders from a queue, to which it adds those it finds. Thread-safe.
class Walk {
 public:
  Walk(const std::string& root, const CodeSnapshotOptions& options)
      : root_(root),
        options_(options),
        excluded_({IdOf(options.excluded_dir), IdOf(options.output_dir)}) {}

  /// The body of each thread.
  void Work() {
    std::unique_lock lock(mu_);
    while (true) {
      changed_.wait(
          lock, [&] { return !waiting_.empty() || busy_ == 0 || IsOver(); });
      if (waiting_.empty() || IsOver()) return;
      const std::string folder = std::move(waiting_.front());
      waiting_.pop_front();
      ++busy_;
      lock.unlock();
      CodeSurvey found;
      const absl::Status read = ReadFolder(folder, &found);
      lock.lock();
      --busy_;
      failure_.Update(read);
      Add(std::move(found));
      passed_limit_ = PassedLimit();
      changed_.notify_all();
    }
  }

  /// Call it after all threads have ended.
  absl::StatusOr<CodeSurvey> Take() {
    const std::lock_guard lock(mu_);
    VERNIER_RETURN_IF_ERROR(failure_);
    if (!passed_limit_.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the code folder has more than ", passed_limit_, MostAreIn(all_),
          "; keep data and environments outside of it: ", root_));
    }
    all_.size = {files_, bytes_};
    return std::move(all_);
  }

 private:
  absl::Status ReadFolder(const std::string& folder, CodeSurvey* found) {
    const std::string path =
        folder.empty() ? root_ : absl::StrCat(root_, "/", folder);
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path.c_str()),
                                                  &::closedir);
    if (dir == nullptr) return ErrnoAt("cannot read folder", path);
    while (const dirent* entry = ::readdir(dir.get())) {
      if (IsBeyondLimits()) break;  // One folder may have millions of files.
      const std::string name = entry->d_name;
      if (name == "." || name == ".." ||
          std::find(kPassedOver.begin(), kPassedOver.end(), name) !=
              kPassedOver.end()) {
        continue;
      }
      VERNIER_RETURN_IF_ERROR(ReadEntry(
          ::dirfd(dir.get()), name,
          folder.empty() ? name : absl::StrCat(folder, "/", name), found));
    }
    return absl::OkStatus();
  }

  absl::Status ReadEntry(int folder_fd, const std::string& name,
                         const std::string& path, CodeSurvey* found) {
    struct stat info;
    if (::fstatat(folder_fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      // An editor's temporary file may vanish while the folder is being read.
      if (errno == ENOENT) return absl::OkStatus();
      return ErrnoAt("cannot read", absl::StrCat(root_, "/", path));
    }
    if (S_ISDIR(info.st_mode)) {
      const bool is_excluded =
          std::any_of(excluded_.begin(), excluded_.end(), [&](const auto& id) {
            return id.has_value() && info.st_dev == id->device &&
                   info.st_ino == id->inode;
          });
      if (is_excluded) return absl::OkStatus();
      // What earlier runs left, such as W&B's links to its logs, is no code.
      if (path == name && IsOutputName(name)) return absl::OkStatus();
      // A virtual environment has links out of the folder and works only at its
      // own place, so it is not copied.
      const std::string mark = name + "/pyvenv.cfg";
      if (::faccessat(folder_fd, mark.c_str(), F_OK, 0) == 0) {
        return absl::OkStatus();
      }
      found->folders.push_back(path);
      ++folders_;
      return absl::OkStatus();
    }
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) {
      return absl::OkStatus();
    }
    if (S_ISLNK(info.st_mode)) {
      VERNIER_ASSIGN_OR_RETURN(CodeSurvey::Link link, ReadLink(root_, path));
      found->links.push_back(std::move(link));
    } else {
      found->files.push_back({path, info.st_mode, info.st_size});
    }
    ++files_;
    bytes_ += info.st_size;
    return absl::OkStatus();
  }

  // The exceeded limit, e.g. "20000 files"; empty if there is none.
  std::string PassedLimit() const {
    if (files_ > options_.max_files) {
      return absl::StrCat(options_.max_files, " files");
    }
    if (bytes_ > options_.max_bytes) {
      return absl::StrCat(options_.max_bytes, " bytes");
    }
    if (folders_ > options_.max_files) {
      return absl::StrCat(options_.max_files, " folders");
    }
    return "";
  }
  bool IsBeyondLimits() const {
    return files_ > options_.max_files || bytes_ > options_.max_bytes ||
           folders_ > options_.max_files;
  }
  // mu_ must be held.
  bool IsOver() const { return !failure_.ok() || !passed_limit_.empty(); }

  // A folder is added to the list before it is added to the queue, so that
  // every folder is listed after its parent.
  void Add(CodeSurvey found) {
    waiting_.insert(waiting_.end(), found.folders.begin(), found.folders.end());
    const auto move = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    move(found.folders, all_.folders);
    move(found.files, all_.files);
    move(found.links, all_.links);
  }

  const std::string& root_;
  const CodeSnapshotOptions& options_;
  const std::array<std::optional<FolderId>, 2> excluded_;
  std::atomic<std::int64_t> folders_{0};
  std::atomic<std::int64_t> files_{0};
  std::atomic<std::int64_t> bytes_{0};
  // mu_ guards the members below. The condition variable needs a std::mutex.
  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_{""};  // Folders still to be read.
  int busy_ = 0;                         // Threads that read a folder now.
  absl::Status failure_;                 // The first one.
  std::string passed_limit_;             // In words; empty: none.
  CodeSurvey all_;
};

}  // namespace

absl::StatusOr<CodeSurvey> SurveyCode(const std::string& source,
                                      const CodeSnapshotOptions& options) {
  Walk walk(source, options);
  RunInThreads([&walk] { walk.Work(); });
  return walk.Take();
}

}  // namespace vernier
