#include "buckets/confined_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"
#include "buckets/open_beneath.h"

namespace vernier {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY;

bool IsReserved(std::string_view name) {
  return name.substr(0, name.find('/')) == kReservedFolder;
}

// Returns the path of an open file; empty if the kernel does not report it.
std::string PathOfDescriptor(int fd) {
  char path[PATH_MAX];
  const std::string link = absl::StrCat("/proc/self/fd/", fd);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof(path));
  return size <= 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

// Returns whether a link has led into the reserved folder. If the paths are
// unknown, the answer is yes, to be safe.
bool LiesInReserved(int root, int fd) {
  const std::string folder = PathOfDescriptor(root);
  const std::string path = PathOfDescriptor(fd);
  if (folder.empty() || path.empty()) return true;
  const std::string ours = absl::StrCat(folder == "/" ? "" : folder, "/",
                                        std::string(kReservedFolder));
  return path == ours || path.compare(0, ours.size() + 1, ours + "/") == 0;
}

absl::Status RemoveEmptyIn(int parent, const char* name) {
  if (::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
    return absl::OkStatus();
  }
  if (errno != ENOTEMPTY && errno != EEXIST) return FileError(errno, name);
  UniqueFd folder(
      ::openat(parent, name, kFolderFlags | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open()) return FileError(errno, name);
  const FolderStream entries = EntriesOf(std::move(folder));
  if (entries == nullptr) return FileError(errno, name);
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view child = entry->d_name;
    if (child == "." || child == "..") continue;
    if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) {
      return absl::FailedPreconditionError(
          absl::StrCat("the folder is not empty: ", name));
    }
    VERNIER_RETURN_IF_ERROR(
        RemoveEmptyIn(::dirfd(entries.get()), entry->d_name));
  }
  if (::unlinkat(parent, name, AT_REMOVEDIR) == 0) return absl::OkStatus();
  return FileError(errno, name);
}

}  // namespace

absl::Status FileError(int error, const std::string& what) {
  switch (error) {
    case ENOENT:
      return absl::NotFoundError(absl::StrCat("there is no such file: ", what));
    case ENOTDIR:
    case EISDIR:
      return absl::FailedPreconditionError(absl::StrCat(
          "a file is where a folder is needed, or the reverse: ", what));
    case EXDEV:
    case ELOOP:
      return absl::FailedPreconditionError(
          absl::StrCat("a link leads out of the bucket: ", what));
    case ENOTEMPTY:
    case EEXIST:
      return absl::FailedPreconditionError(
          absl::StrCat("something is there already: ", what));
    case ENOSPC:
    case EDQUOT:
      return absl::ResourceExhaustedError(
          absl::StrCat("the disk is full: ", what));
    default:
      return absl::ErrnoToStatus(error, what);
  }
}

SplitName SplitAtLastSlash(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return {"", std::string(name)};
  return {std::string(name.substr(0, slash)),
          std::string(name.substr(slash + 1))};
}

absl::Status WriteFully(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(errno, "cannot write");
    data.remove_prefix(static_cast<std::size_t>(n));
  }
  return absl::OkStatus();
}

absl::StatusOr<ConfinedFolder> ConfinedFolder::Open(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), kFolderFlags | O_CLOEXEC));
  if (!fd.is_open()) return FileError(errno, path);
  return ConfinedFolder(path, std::move(fd));
}

absl::StatusOr<UniqueFd> ConfinedFolder::OpenFile(const std::string& name,
                                                  int flags,
                                                  mode_t mode) const {
  // Most names have no links, and then the file cannot be in the reserved
  // folder unless its name says so.
  UniqueFd fd(OpenBeneath(fd_.get(), name, flags, mode, Links::kRefuse));
  if (fd.is_open()) return fd;
  // The reserved folder contains no links.
  if (errno != ELOOP || IsReserved(name)) return FileError(errno, name);
  fd.Reset(OpenBeneath(fd_.get(), name, flags, mode, Links::kFollow));
  if (!fd.is_open()) return FileError(errno, name);
  if (LiesInReserved(fd_.get(), fd.get())) return FileError(EXDEV, name);
  return fd;
}

absl::StatusOr<UniqueFd> ConfinedFolder::OpenToRead(
    const std::string& name) const {
  // O_NONBLOCK, because opening a pipe must not wait for a writer.
  auto fd = OpenFile(name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (absl::IsFailedPrecondition(fd.status())) {
    return absl::NotFoundError(std::string(fd.status().message()));
  }
  if (!fd.ok()) return fd.status();
  struct stat info;
  if (::fstat(fd->get(), &info) != 0) return FileError(errno, name);
  if (!S_ISREG(info.st_mode)) {
    return absl::NotFoundError(absl::StrCat("no regular file: ", name));
  }
  return fd;
}

absl::StatusOr<UniqueFd> ConfinedFolder::OpenFolder(
    const std::string& name) const {
  return OpenFile(name, kFolderFlags);
}

absl::StatusOr<UniqueFd> ConfinedFolder::MakeFolder(
    const std::string& name) const {
  auto folder = OpenFolder(name);
  if (folder.ok() || !absl::IsNotFound(folder.status())) return folder;
  const SplitName split = SplitAtLastSlash(name);
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd parent, MakeFolder(split.folder));
  constexpr mode_t kAsTheUmaskSays = 0777;
  if (::mkdirat(parent.get(), split.file.c_str(), kAsTheUmaskSays) != 0 &&
      errno != EEXIST) {
    return FileError(errno, name);
  }
  if (::fsync(parent.get()) != 0) return FileError(errno, name);
  return OpenFolder(name);
}

absl::Status ConfinedFolder::RemoveFile(const std::string& name) const {
  const SplitName split = SplitAtLastSlash(name);
  const auto parent = OpenFolder(split.folder);
  if (absl::IsNotFound(parent.status())) return absl::OkStatus();
  if (!parent.ok()) return parent.status();
  if (::unlinkat(parent->get(), split.file.c_str(), 0) != 0) {
    return errno == ENOENT ? absl::OkStatus() : FileError(errno, name);
  }
  if (::fsync(parent->get()) != 0) return FileError(errno, name);
  return absl::OkStatus();
}

absl::Status ConfinedFolder::RemoveEmptyTree(const std::string& name) const {
  const SplitName split = SplitAtLastSlash(name);
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd parent, OpenFolder(split.folder));
  VERNIER_RETURN_IF_ERROR(RemoveEmptyIn(parent.get(), split.file.c_str()));
  if (::fsync(parent.get()) != 0) return FileError(errno, name);
  return absl::OkStatus();
}

absl::Status ConfinedFolder::ReplaceFile(const std::string& name,
                                         const std::string& temporary,
                                         std::string_view text) const {
  constexpr mode_t kOurs = 0600;
  const SplitName split = SplitAtLastSlash(name);
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd parent, MakeFolder(split.folder));
  VERNIER_ASSIGN_OR_RETURN(
      const UniqueFd file,
      OpenFile(split.folder.empty()
                   ? temporary
                   : absl::StrCat(split.folder, "/", temporary),
               O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, kOurs));
  // The text is synced before the rename, so that a crash leaves the old file
  // or the whole new one. The sync of the folder makes the rename durable.
  absl::Status status = WriteFully(file.get(), text);
  if (status.ok() && ::fsync(file.get()) != 0) status = FileError(errno, name);
  if (status.ok() && ::renameat(parent.get(), temporary.c_str(), parent.get(),
                                split.file.c_str()) != 0) {
    status = FileError(errno, name);
  }
  if (!status.ok()) {
    ::unlinkat(parent.get(), temporary.c_str(), 0);
    return status;
  }
  if (::fsync(parent.get()) != 0) return FileError(errno, name);
  return absl::OkStatus();
}

absl::StatusOr<std::string> ConfinedFolder::ReadFile(
    const std::string& name) const {
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd file, OpenToRead(name));
  constexpr std::size_t kLimit = 1 << 20;
  std::string text;
  char buffer[16384];
  while (text.size() <= kLimit) {
    const ssize_t n = ::read(file.get(), buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(errno, name);
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return absl::DataLossError(absl::StrCat("longer than any of ours: ", name));
}

FolderStream EntriesOf(UniqueFd folder) {
  FolderStream entries(::fdopendir(folder.get()));
  // The stream owns the descriptor now. If it was not made, closing the
  // descriptor must not change errno.
  if (entries != nullptr) {
    folder.Release();
  } else {
    const int error = errno;
    folder.Reset();
    errno = error;
  }
  return entries;
}

}  // namespace vernier
