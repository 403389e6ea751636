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
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cluster/code/folder_tally.h"
#include "cluster/code/ignore_rules.h"
#include "cluster/code/parallel_work.h"

namespace vernier {
namespace {

// Several threads take folders from a queue (Walk), since reading them is
// mostly waiting for the disk. The limits are checked by atomic counters while
// folders are read. Beyond a limit the walk continues for a while, only to tell
// in the error message which folders are largest (FolderTally).

namespace fs = std::filesystem;

// After a limit was exceeded, up to this many times as many files are still
// counted, to find out where most of them are.
constexpr std::int64_t kLookFurther = 5;
constexpr std::size_t kMostLinks = 5;  // In a message.

struct FolderId {
  dev_t device;
  ino_t inode;
};

absl::Status SurveyError(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, what + " " + path);
}

std::optional<FolderId> IdOf(const std::string& path) {
  struct stat info;
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FolderId{info.st_dev, info.st_ino};
}

// Returns whether a relative link at `depth` folders below the root leads out
// of it, as far as its text shows.
bool LeadsOut(const std::string& target, std::ptrdiff_t depth) {
  if (target.empty()) return false;
  for (const fs::path& part : fs::path(target)) {
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (part != "." && !part.empty()) {
      ++depth;
    }
  }
  return false;
}

// Returns the target of a relative link in `folder`, so that a link elsewhere
// can have the same meaning.
std::string AbsoluteTarget(const std::string& folder,
                           const std::string& target) {
  std::error_code error;
  fs::path absolute = fs::canonical(folder, error) / target;
  // It may be normalized only if ".." is not behind a name, which could be a
  // link.
  const std::size_t inner = target.find_first_not_of("./");
  if (inner == std::string::npos || target.find("/..", inner) == target.npos) {
    absolute = absolute.lexically_normal();
  }
  return absolute;
}

absl::StatusOr<CodeSurvey::Link> ReadLink(const std::string& root,
                                          const std::string& path) {
  const std::string from = absl::StrCat(root, "/", path);
  char target[4096];
  const ssize_t n = ::readlink(from.c_str(), target, sizeof(target));
  if (n < 0) return SurveyError("cannot read link", from);
  std::string text(target, static_cast<std::size_t>(n));
  const bool is_absolute = absl::StartsWith(text, "/");
  if (!is_absolute &&
      LeadsOut(text, std::count(path.begin(), path.end(), '/'))) {
    text = AbsoluteTarget(fs::path(from).parent_path(), text);
  }
  return CodeSurvey::Link{path, text};
}

// A limit that a code folder exceeds.
struct PassedLimit {
  std::string text;  ///< "20000 files"
  FolderTally::Measure measure = FolderTally::Measure::kFiles;
  std::int64_t limit = 0;
};

// Returns an error that lists the largest folders as lines for the folder's
// .vernierignore.
absl::Status TooLarge(const std::string& root, const PassedLimit& passed,
                      const FolderTally& tally) {
  std::string message = absl::StrCat(
      "the code folder has more than ", passed.text,
      "; keep data and environments outside of it, or name them in ", root, "/",
      kIgnoreFile);
  const auto large = tally.Largest(passed.measure, passed.limit);
  if (!large.empty()) {
    absl::StrAppend(&message, ", with lines such as");
    for (const FolderTally::Large& each : large) {
      if (each.path.find('\n') != std::string::npos) continue;
      absl::StrAppend(&message, "\n# ", AmountText(each.amount), "\n",
                      IgnoreLineFor(each.path, each.kind));
    }
    absl::StrAppend(&message, "\n");
  }
  return absl::InvalidArgumentError(message);
}

/// Reads folders from a queue, and adds the folders in them to it. Thread-safe.
class Walk {
 public:
  Walk(const std::string& root, const CodeSnapshotOptions& options)
      : root_(root),
        options_(options),
        excluded_({IdOf(options.excluded_dir), IdOf(options.output_dir)}) {}

  /// The function that each thread runs.
  void Work() {
    std::unique_lock lock(mu_);
    while (true) {
      changed_.wait(
          lock, [&] { return !waiting_.empty() || busy_ == 0 || IsOver(); });
      if (waiting_.empty() || IsOver()) return;
      const Folder folder = std::move(waiting_.front());
      waiting_.pop_front();
      ++busy_;
      lock.unlock();
      Found found;
      const absl::Status read = ReadFolder(folder, &found);
      lock.lock();
      --busy_;
      failure_.Update(read);
      Add(std::move(found));
      changed_.notify_all();
    }
  }

  /// Returns the result; call it after all threads have ended.
  absl::StatusOr<CodeSurvey> Take() {
    const std::lock_guard lock(mu_);
    VERNIER_RETURN_IF_ERROR(failure_);
    if (const auto passed = Passed()) return TooLarge(root_, *passed, tally_);
    all_.size = {files_, bytes_};
    return std::move(all_);
  }

 private:
  /// A folder to read.
  struct Folder {
    std::string path;
    IgnoreRules::Ptr rules;  ///< Of the one that it lies in; may be null.
  };
  /// The contents of a folder.
  struct Found {
    CodeSurvey survey;
    IgnoreRules::Ptr rules;
    FolderTally tally;
  };

  absl::Status ReadFolder(const Folder& folder, Found* found) {
    const std::string path =
        folder.path.empty() ? root_ : absl::StrCat(root_, "/", folder.path);
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path.c_str()),
                                                  &::closedir);
    if (dir == nullptr) return SurveyError("cannot read folder", path);
    VERNIER_ASSIGN_OR_RETURN(
        found->rules, IgnoreRules::ReadIn(::dirfd(dir.get()), path, folder.path,
                                          folder.rules));
    while (const dirent* entry = ::readdir(dir.get())) {
      if (HasSeenEnough()) break;  // One folder may have millions of files.
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      VERNIER_RETURN_IF_ERROR(ReadEntry(
          ::dirfd(dir.get()), name,
          folder.path.empty() ? name : absl::StrCat(folder.path, "/", name),
          found));
    }
    return absl::OkStatus();
  }

  absl::Status ReadEntry(int folder_fd, const std::string& name,
                         const std::string& path, Found* found) {
    struct stat info;
    if (::fstatat(folder_fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      // An editor's temporary file may vanish while the folder is being read.
      if (errno == ENOENT) return absl::OkStatus();
      return SurveyError("cannot read", absl::StrCat(root_, "/", path));
    }
    if (IsExcluded(info)) return absl::OkStatus();
    if (auto left_out = WhyLeftOut(folder_fd, name, path, info, *found)) {
      ++found->survey.left_out_count;
      if (found->survey.left_out.size() < kMaxLeftOut) {
        found->survey.left_out.push_back(*std::move(left_out));
      }
      return absl::OkStatus();
    }
    if (S_ISDIR(info.st_mode)) {
      found->survey.folders.push_back(path);
      ++folders_;
      return absl::OkStatus();
    }
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) {
      return absl::OkStatus();
    }
    if (S_ISLNK(info.st_mode)) {
      VERNIER_ASSIGN_OR_RETURN(CodeSurvey::Link link, ReadLink(root_, path));
      found->survey.links.push_back(std::move(link));
    } else {
      found->survey.files.push_back(
          {path, info.st_mode, info.st_size, info.st_mtim});
      const std::size_t inner = path.size() - name.size();
      found->tally.Add(path.substr(0, inner == 0 ? 0 : inner - 1), name,
                       info.st_size);
    }
    ++files_;
    bytes_ += info.st_size;
    return absl::OkStatus();
  }

  bool IsExcluded(const struct stat& info) const {
    return S_ISDIR(info.st_mode) &&
           std::any_of(excluded_.begin(), excluded_.end(), [&](const auto& id) {
             return id.has_value() && info.st_dev == id->device &&
                    info.st_ino == id->inode;
           });
  }

  std::optional<LeftOut> WhyLeftOut(int folder_fd, const std::string& name,
                                    const std::string& path,
                                    const struct stat& info,
                                    const Found& found) const {
    const EntryKind kind =
        S_ISDIR(info.st_mode) ? EntryKind::kFolder : EntryKind::kOther;
    if (const auto why = NeverCopied(path, kind)) {
      return LeftOut{path, kind, *why};
    }
    if (kind == EntryKind::kFolder && IsEnvironmentFolder(folder_fd, name)) {
      return LeftOut{path, kind, LeftOutWhy::kEnvironment};
    }
    const IgnoreLine* const line =
        found.rules == nullptr ? nullptr : found.rules->LeavesOut(path, kind);
    if (line == nullptr) return std::nullopt;
    return LeftOut{path, kind, LeftOutWhy::kIgnored,
                   absl::StrCat("line ", line->number, " of ", line->file)};
  }

  std::optional<PassedLimit> Passed() const {
    const auto passed = [](std::int64_t limit, const char* what,
                           FolderTally::Measure measure) {
      return PassedLimit{absl::StrCat(limit, what), measure, limit};
    };
    if (files_ > options_.max_files) {
      return passed(options_.max_files, " files", FolderTally::Measure::kFiles);
    }
    if (bytes_ > options_.max_bytes) {
      return passed(options_.max_bytes, " bytes", FolderTally::Measure::kBytes);
    }
    if (folders_ > options_.max_files) {
      return passed(options_.max_files, " folders",
                    FolderTally::Measure::kFiles);
    }
    return std::nullopt;
  }
  bool HasSeenEnough() const {
    return files_ > kLookFurther * options_.max_files ||
           folders_ > kLookFurther * options_.max_files;
  }
  // mu_ must be held.
  bool IsOver() const { return !failure_.ok() || HasSeenEnough(); }

  // A folder is added to the list before it is added to the queue, so that
  // every folder is listed after its parent.
  void Add(Found found) {
    CodeSurvey& survey = found.survey;
    for (const std::string& folder : survey.folders) {
      waiting_.push_back({folder, found.rules});
    }
    const auto move = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    all_.left_out_count += survey.left_out_count;
    const std::size_t room = kMaxLeftOut - all_.left_out.size();
    if (survey.left_out.size() > room) survey.left_out.resize(room);
    move(survey.left_out, all_.left_out);
    tally_.Add(found.tally);
    // Nothing will be copied, and there may be very many.
    if (Passed().has_value()) return;
    move(survey.folders, all_.folders);
    move(survey.files, all_.files);
    move(survey.links, all_.links);
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
  std::deque<Folder> waiting_{Folder{}};  // Still to be read.
  int busy_ = 0;                          // Threads that read a folder now.
  absl::Status failure_;                  // The first one.
  FolderTally tally_;
  CodeSurvey all_;
};

}  // namespace

std::vector<std::string> NotesOf(const CodeSurvey& survey) {
  std::vector<std::string> notes;
  std::string left_out = LeftOutText(survey.left_out, survey.left_out_count);
  if (!left_out.empty()) notes.push_back(std::move(left_out));
  std::vector<std::string> links;
  for (const CodeSurvey::Link& link : survey.links) {
    if (!absl::StartsWith(link.target, "/")) continue;
    links.push_back(
        absl::StrCat(ShowText(link.path), " -> ", ShowText(link.target)));
  }
  if (links.empty()) return notes;
  std::sort(links.begin(), links.end());
  const std::size_t shown = std::min(links.size(), kMostLinks);
  std::string text = absl::StrCat(
      "links that lead out of the code folder stay links, and what they lead "
      "to is not copied: ",
      absl::StrJoin(links.begin(),
                    links.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < links.size()) {
    absl::StrAppend(&text, " and ", links.size() - shown, " more");
  }
  notes.push_back(std::move(text));
  return notes;
}

absl::StatusOr<CodeSurvey> SurveyCode(const std::string& source,
                                      const CodeSnapshotOptions& options) {
  Walk walk(source, options);
  RunInThreads([&walk] { walk.Work(); });
  return walk.Take();
}

}  // namespace vernier
