#include "cluster/code_snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cluster/small_file.h"
#include "study/status_macros.h"
#include "study/unique_fd.h"

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

absl::Status ErrnoAt(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, what + " " + path);
}

// Whether a relative link at `depth` folders below the root leads out of it.
bool LeadsOut(const std::string& target, int depth) {
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

class Copier {
 public:
  explicit Copier(const CodeSnapshotOptions& options) : options_(options) {}

  /// Passes this folder over wherever it turns up.
  void Exclude(const std::string& path) {
    struct stat info;
    if (::stat(path.c_str(), &info) == 0) {
      excluded_.insert({info.st_dev, info.st_ino});
    }
  }

  absl::Status CopyFolder(const std::string& from, const std::string& to,
                          int depth) {
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(from.c_str()),
                                                  &::closedir);
    if (dir == nullptr) return ErrnoAt("cannot read folder", from);
    if (::mkdir(to.c_str(), 0700) != 0) return ErrnoAt("cannot make", to);
    if (depth == 0) Exclude(to);  // It may lie in what is being copied.
    while (const dirent* entry = ::readdir(dir.get())) {
      const std::string name = entry->d_name;
      if (name == "." || name == ".." ||
          std::find(kPassedOver.begin(), kPassedOver.end(), name) !=
              kPassedOver.end()) {
        continue;
      }
      VERNIER_RETURN_IF_ERROR(CopyEntry(absl::StrCat(from, "/", name),
                                        absl::StrCat(to, "/", name), depth));
    }
    return SyncDirectory(to);
  }

  const CodeSnapshotSize& size() const { return size_; }

 private:
  absl::Status CopyEntry(const std::string& from, const std::string& to,
                         int depth) {
    struct stat info;
    if (::lstat(from.c_str(), &info) != 0) return ErrnoAt("cannot read", from);
    if (S_ISDIR(info.st_mode)) {
      if (excluded_.count({info.st_dev, info.st_ino}) > 0) {
        return absl::OkStatus();
      }
      return CopyFolder(from, to, depth + 1);
    }
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) {
      return absl::OkStatus();
    }
    VERNIER_RETURN_IF_ERROR(Count(from, info));
    return S_ISLNK(info.st_mode) ? CopyLink(from, to, depth)
                                 : CopyFile(from, to, info.st_mode);
  }

  absl::Status Count(const std::string& path, const struct stat& info) {
    ++size_.files;
    size_.bytes += info.st_size;
    if (size_.files > options_.max_files) {
      return absl::ResourceExhaustedError(
          "the code folder has more than " +
          std::to_string(options_.max_files) +
          " files; keep data and environments outside of it: " + path);
    }
    if (size_.bytes > options_.max_bytes) {
      return absl::ResourceExhaustedError(
          "the code folder has more than " +
          std::to_string(options_.max_bytes) +
          " bytes; keep data and environments outside of it: " + path);
    }
    return absl::OkStatus();
  }

  static absl::Status CopyLink(const std::string& from, const std::string& to,
                               int depth) {
    char target[4096];
    const ssize_t n = ::readlink(from.c_str(), target, sizeof(target));
    if (n < 0) return ErrnoAt("cannot read link", from);
    const std::string text(target, static_cast<std::size_t>(n));
    if (LeadsOut(text, depth)) {
      return absl::InvalidArgumentError(
          "a link in the code folder must be relative and stay inside it: " +
          from + " -> " + text);
    }
    if (::symlink(text.c_str(), to.c_str()) != 0) {
      return ErrnoAt("cannot make link", to);
    }
    return absl::OkStatus();
  }

  static absl::Status CopyFile(const std::string& from, const std::string& to,
                               mode_t mode) {
    const UniqueFd in(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!in.is_open()) return ErrnoAt("cannot open", from);
    const UniqueFd out(
        ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!out.is_open()) return ErrnoAt("cannot create", to);
    std::vector<char> buffer(1 << 16);
    while (true) {
      const ssize_t n = ::read(in.get(), buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return ErrnoAt("cannot read", from);
      if (n == 0) break;
      absl::Status written =
          WriteAll(out.get(), buffer.data(), static_cast<std::size_t>(n));
      if (!written.ok()) return written;
    }
    if (::fchmod(out.get(), mode & 07777) != 0 || ::fsync(out.get()) != 0) {
      return ErrnoAt("cannot sync", to);
    }
    return absl::OkStatus();
  }

  const CodeSnapshotOptions& options_;
  std::set<std::pair<dev_t, ino_t>> excluded_;
  CodeSnapshotSize size_;
};

void RemoveTree(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

absl::StatusOr<CodeSnapshotSize> SnapshotCode(
    const std::string& source, const std::string& destination,
    const CodeSnapshotOptions& options) {
  struct stat info;
  if (::stat(source.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return absl::NotFoundError("there is no such code folder: " + source);
  }
  if (::stat(destination.c_str(), &info) == 0) return CodeSnapshotSize{};
  const std::string parent = destination.substr(0, destination.rfind('/'));
  VERNIER_RETURN_IF_ERROR(MakeDirectories(parent));
  // One of an earlier, interrupted submission may lie there.
  const std::string draft = destination + ".partial";
  RemoveTree(draft);
  Copier copier(options);
  copier.Exclude(options.excluded_dir.empty() ? parent : options.excluded_dir);
  const absl::Status copied = copier.CopyFolder(source, draft, 0);
  if (!copied.ok()) {
    RemoveTree(draft);
    return copied;
  }
  if (::rename(draft.c_str(), destination.c_str()) != 0) {
    return ErrnoAt("cannot rename to", destination);
  }
  VERNIER_RETURN_IF_ERROR(SyncDirectory(parent));
  return copier.size();
}

}  // namespace vernier
