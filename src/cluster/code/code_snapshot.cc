#include "cluster/code/code_snapshot.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/mutex.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/code/file_copy.h"
#include "cluster/code/parallel_work.h"
#include "cluster/code/shared_code.h"

namespace vernier {
namespace {

// A snapshot is made under a draft name by several threads, because with many
// small files most time is spent waiting for the disk. The folders and links
// are made first by one thread; each thread then takes the next group of files.
// One sync of the file system and a rename make the snapshot appear complete.

namespace fs = std::filesystem;

// Neighbouring files are copied by the same thread, because two threads that
// make files in one folder wait for each other.
constexpr std::size_t kCopiesAtOnce = 32;

absl::Status SnapshotError(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, what + " " + path);
}

/// Copies the files of a survey, several at once. Thread-safe.
class Copier {
 public:
  Copier(const CodeSurvey& survey, std::string from, std::string to,
         const CodeSnapshotOptions& options, CodeSnapshotProgress* progress)
      : survey_(survey),
        from_(std::move(from)),
        to_(std::move(to)),
        options_(options),
        progress_(progress) {}

  absl::Status MakeFoldersAndLinks() const {
    if (::mkdir(to_.c_str(), 0700) != 0)
      return SnapshotError("cannot make", to_);
    for (const std::string& folder : survey_.folders) {
      const std::string path = absl::StrCat(to_, "/", folder);
      if (::mkdir(path.c_str(), 0700) != 0) {
        return SnapshotError("cannot make", path);
      }
    }
    for (const CodeSurvey::Link& link : survey_.links) {
      const std::string path = absl::StrCat(to_, "/", link.path);
      if (::symlink(link.target.c_str(), path.c_str()) != 0) {
        return SnapshotError("cannot make link", path);
      }
    }
    return absl::OkStatus();
  }

  /// The function that each thread runs.
  void Work() {
    std::vector<char> buffer(kCopyBuffer);
    while (!has_failed_) {
      const std::size_t begin = next_.fetch_add(kCopiesAtOnce);
      if (begin >= survey_.files.size()) return;
      const std::size_t end =
          std::min(begin + kCopiesAtOnce, survey_.files.size());
      for (std::size_t i = begin; i < end && !has_failed_; ++i) {
        const absl::Status copied = CopyFile(survey_.files[i], buffer);
        if (!copied.ok()) Fail(copied);
        ++copied_files_;
        if (progress_ != nullptr) ++progress_->files;
      }
    }
  }

  /// Returns the result; call it after all threads have ended.
  absl::StatusOr<CodeSnapshotSize> Take() {
    const MutexLock lock(mu_);
    VERNIER_RETURN_IF_ERROR(failure_);
    return CodeSnapshotSize{copied_files_ - vanished_files_ +
                                static_cast<std::int64_t>(survey_.links.size()),
                            copied_bytes_};
  }

 private:
  void Fail(const absl::Status& why) {
    const MutexLock lock(mu_);
    failure_.Update(why);
    has_failed_ = true;
  }

  // Counts copied bytes against the limit, since a file may have grown since
  // the survey.
  absl::Status CountBytes(std::int64_t bytes) {
    if ((copied_bytes_ += bytes) <= options_.max_bytes) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("the code folder grows while it is copied, to more than ",
                     options_.max_bytes, " bytes"));
  }

  absl::Status CopyFile(const CodeSurvey::File& file,
                        std::vector<char>& buffer) {
    VERNIER_ASSIGN_OR_RETURN(
        const FileCopy copied,
        CopyCodeFile(file, absl::StrCat(from_, "/", file.path),
                     absl::StrCat(to_, "/", file.path), buffer,
                     [this](std::int64_t bytes) { return CountBytes(bytes); }));
    // The file vanished after the survey; it does not count.
    if (copied == FileCopy::kVanished) ++vanished_files_;
    return absl::OkStatus();
  }

  const CodeSurvey& survey_;
  const std::string from_;
  const std::string to_;
  const CodeSnapshotOptions& options_;
  CodeSnapshotProgress* const progress_;  // May be null.
  std::atomic<std::size_t> next_{0};      // Of survey_.files.
  std::atomic<std::int64_t> copied_files_{0};
  std::atomic<std::int64_t> vanished_files_{0};
  std::atomic<std::int64_t> copied_bytes_{0};
  std::atomic<bool> has_failed_{false};
  Mutex mu_;
  absl::Status failure_ VERNIER_GUARDED_BY(mu_);  // The first one.
};

absl::StatusOr<CodeSnapshotSize> CopyTo(const std::string& draft,
                                        const CodeSurvey& survey,
                                        const std::string& source,
                                        const CodeSnapshotOptions& options,
                                        CodeSnapshotProgress* progress) {
  Copier copier(survey, source, draft, options, progress);
  VERNIER_RETURN_IF_ERROR(copier.MakeFoldersAndLinks());
  if (progress != nullptr) {
    progress->files += static_cast<std::int64_t>(survey.links.size());
  }
  RunInThreads([&copier] { copier.Work(); });
  VERNIER_ASSIGN_OR_RETURN(const CodeSnapshotSize size, copier.Take());
  // One sync for all files: an fsync of each would wait for the disk each time.
  VERNIER_RETURN_IF_ERROR(SyncFileSystem(draft));
  return size;
}

void RemoveTree(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

absl::StatusOr<CodeSnapshot> SnapshotCode(const std::string& source,
                                          const std::string& destination,
                                          const CodeSnapshotOptions& options,
                                          CodeSnapshotProgress* progress) {
  struct stat info;
  if (::stat(source.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return absl::NotFoundError("there is no such code folder: " + source);
  }
  if (::stat(destination.c_str(), &info) == 0) return CodeSnapshot{};
  const std::string parent = destination.substr(0, destination.rfind('/'));
  VERNIER_RETURN_IF_ERROR(MakeDirectories(parent));
  // An earlier, interrupted submission may have left the draft.
  const std::string draft = destination + ".partial";
  RemoveTree(draft);
  CodeSnapshotOptions surveyed = options;
  // A code folder that contains its own snapshots must not copy them.
  if (surveyed.excluded_dir.empty()) surveyed.excluded_dir = parent;
  VERNIER_ASSIGN_OR_RETURN(const CodeSurvey survey,
                           SurveyCode(source, surveyed));
  if (progress != nullptr) progress->of_files = survey.size.files;
  const auto size = CopyTo(draft, survey, source, options, progress);
  if (!size.ok()) {
    RemoveTree(draft);
    return size.status();
  }
  // The draft is synced, so the name appears only with all of its contents.
  if (::rename(draft.c_str(), destination.c_str()) != 0) {
    return SnapshotError("cannot rename to", destination);
  }
  VERNIER_RETURN_IF_ERROR(SyncDirectory(parent));
  std::vector<std::string> notes = NotesOf(survey);
  std::string shared = SharedCodeNote(SharedEntries(survey));
  if (!shared.empty()) notes.push_back(std::move(shared));
  return CodeSnapshot{size->files, size->bytes, std::move(notes)};
}

}  // namespace vernier
