#include "cluster/code/code_snapshot.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
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
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "cluster/code/parallel_work.h"
#include "cluster/regular_file.h"
#include "cluster/small_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

// Neighbouring files are copied by the same thread, because two threads that
// make files in one folder wait for each other.
constexpr std::size_t kCopiesAtOnce = 32;
// Below this size a plain copy costs less than a try to share the bytes.
constexpr std::int64_t kSmallFile = std::int64_t{64} * 1024;

absl::Status SnapshotError(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, what + " " + path);
}

/// Copies what a survey found, several files at once. Thread-safe.
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

  /// The body of each thread.
  void Work() {
    std::vector<char> buffer(kSmallFile);
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

  /// Call it after all threads have ended.
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

  // A file may have grown since the survey.
  absl::Status CountBytes(std::int64_t bytes) {
    if ((copied_bytes_ += bytes) <= options_.max_bytes) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("the code folder grows while it is copied, to more than ",
                     options_.max_bytes, " bytes"));
  }

  absl::Status CopyFile(const CodeSurvey::File& file,
                        std::vector<char>& buffer) {
    const std::string from = absl::StrCat(from_, "/", file.path);
    const RegularFile in = OpenRegularFile(from, O_RDONLY | O_NOFOLLOW);
    if (in.error == ENOENT || in.is_other_kind) {
      ++vanished_files_;  // As if it was so before the survey.
      return absl::OkStatus();
    }
    if (!in.fd.is_open()) {
      return absl::ErrnoToStatus(in.error, "cannot open " + from);
    }
    const std::string to = absl::StrCat(to_, "/", file.path);
    const UniqueFd out(
        ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!out.is_open()) return SnapshotError("cannot create", to);
    // FICLONE shares the bytes on file systems that copy on write, and fails on
    // others.
    if (file.bytes > kSmallFile &&
        ::ioctl(out.get(), FICLONE, in.fd.get()) == 0) {
      VERNIER_RETURN_IF_ERROR(CountBytes(file.bytes));
    } else {
      VERNIER_RETURN_IF_ERROR(
          CopyBytes({in.fd.get(), from}, {out.get(), to}, file.bytes, buffer));
    }
    // A copy belongs to the service's user: with set-uid it would lend that
    // user's rights to whoever runs it.
    constexpr mode_t kRights = S_IRWXU | S_IRWXG | S_IRWXO;
    if (::fchmod(out.get(), file.mode & kRights) != 0) {
      return SnapshotError("cannot set the mode of", to);
    }
    return absl::OkStatus();
  }

  struct OpenFile {
    int fd;
    const std::string& path;
  };

  // Copies up to the end of the file, which may have moved since the survey.
  absl::Status CopyBytes(OpenFile from, OpenFile to, std::int64_t counted,
                         std::vector<char>& buffer) {
    while (counted > kSmallFile) {
      constexpr std::size_t kAtOnce = 16u << 20;
      const ssize_t n =
          ::copy_file_range(from.fd, nullptr, to.fd, nullptr, kAtOnce, 0);
      // It fails between file systems and on some others; the loop below copies
      // then.
      if (n <= 0) break;
      VERNIER_RETURN_IF_ERROR(CountBytes(n));
    }
    while (true) {
      const ssize_t n = ::read(from.fd, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return SnapshotError("cannot read", from.path);
      if (n == 0) return absl::OkStatus();
      VERNIER_RETURN_IF_ERROR(CountBytes(n));
      const absl::Status written =
          WriteAll(to.fd, buffer.data(), static_cast<std::size_t>(n));
      if (!written.ok()) {
        return absl::Status(written.code(),
                            absl::StrCat("cannot write ", to.path, ": ",
                                         std::string(written.message())));
      }
    }
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
  // An earlier, interrupted submission may have left it.
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
  return CodeSnapshot{size->files, size->bytes, NotesOf(survey)};
}

}  // namespace vernier
