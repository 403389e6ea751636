#include "base/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/regular_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"

namespace vernier {
namespace {

// ESRCH means that a file in /proc vanished because its process ended.
absl::Status Unreadable(const std::string& verb, const std::string& path,
                        int error) {
  const std::string message = "cannot " + verb + " " + path;
  if (error == ESRCH) return absl::NotFoundError(message + ": no such process");
  absl::Status status = absl::ErrnoToStatus(error, message);
  if (!absl::IsNotFound(status) && !absl::IsDataLoss(status) &&
      !absl::IsOutOfRange(status)) {
    return status;
  }
  return absl::UnavailableError(std::string(status.message()));
}

absl::StatusOr<RegularFile> OpenToRead(const std::string& path) {
  RegularFile file = OpenRegularFile(path, O_RDONLY);
  if (file.fd.is_open()) return file;
  if (file.is_other_kind) {
    return absl::DataLossError(path + " is no regular file");
  }
  if (file.error == ENOENT) return absl::NotFoundError("there is no " + path);
  return Unreadable("open", path, file.error);
}

// Opens the file for writing; makes it, or empties it.
absl::StatusOr<UniqueFd> OpenToWrite(const std::string& path) {
  RegularFile file =
      OpenRegularFile(path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
  if (file.fd.is_open()) return std::move(file.fd);
  return absl::ErrnoToStatus(file.error, "cannot write " + path);
}

}  // namespace

absl::StatusOr<std::string> ReadSmallFile(const std::string& path,
                                          std::size_t limit) {
  VERNIER_ASSIGN_OR_RETURN(const RegularFile file, OpenToRead(path));
  std::string contents;
  char buffer[16384];
  while (true) {
    const ssize_t n = ::read(file.fd.get(), buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Unreadable("read", path, errno);
    if (n == 0) return contents;
    contents.append(buffer, static_cast<std::size_t>(n));
    if (contents.size() > limit) {
      return absl::OutOfRangeError(path + " is longer than " +
                                   std::to_string(limit) + " bytes");
    }
  }
}

absl::StatusOr<std::string> ReadFileEnd(const std::string& path,
                                        std::size_t limit) {
  VERNIER_ASSIGN_OR_RETURN(const RegularFile file, OpenToRead(path));
  const auto most = static_cast<off_t>(limit);
  off_t position = std::max<off_t>(file.info.st_size - most, 0);
  const off_t end = position + std::min(file.info.st_size, most);
  std::string contents(static_cast<std::size_t>(end - position), '\0');
  std::size_t filled = 0;
  while (filled < contents.size()) {
    const ssize_t n = ::pread(file.fd.get(), contents.data() + filled,
                              contents.size() - filled, position);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Unreadable("read", path, errno);
    if (n == 0) break;  // It was cut meanwhile.
    filled += static_cast<std::size_t>(n);
    position += n;
  }
  contents.resize(filled);
  return contents;
}

absl::Status WriteAll(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return absl::ErrnoToStatus(errno, "cannot write");
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return absl::OkStatus();
}

absl::Status ReplaceFile(const std::string& path, const std::string& contents,
                         Durability durability) {
  const std::string temporary = path + ".tmp";
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd fd, OpenToWrite(temporary));
  // The draft is synced before the rename, so that a power cut leaves the old
  // file or the whole new one; the sync of the directory makes the rename
  // durable.
  absl::Status written = WriteAll(fd.get(), contents.data(), contents.size());
  if (written.ok() && durability == Durability::kSynced &&
      ::fsync(fd.get()) != 0) {
    written = absl::ErrnoToStatus(errno, "cannot sync");
  }
  if (written.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = absl::ErrnoToStatus(errno, "cannot rename");
  }
  if (!written.ok()) {
    ::unlink(temporary.c_str());
    return absl::Status(written.code(),
                        path + ": " + std::string(written.message()));
  }
  if (durability == Durability::kVolatile) return absl::OkStatus();
  return SyncDirectory(path.substr(0, path.rfind('/')));
}

absl::Status OverwriteFile(const std::string& path,
                           const std::string& contents) {
  VERNIER_ASSIGN_OR_RETURN(const UniqueFd fd, OpenToWrite(path));
  return WriteAll(fd.get(), contents.data(), contents.size());
}

absl::Status SyncDirectory(const std::string& path) {
  UniqueFd fd(::open(path.empty() ? "/" : path.c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::fsync(fd.get()) != 0) {
    return absl::ErrnoToStatus(errno, "cannot sync directory " + path);
  }
  return absl::OkStatus();
}

absl::Status SyncFileSystem(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open() || ::syncfs(fd.get()) != 0) {
    return absl::ErrnoToStatus(errno, "cannot sync " + path);
  }
  return absl::OkStatus();
}

absl::Status MakeDirectories(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return absl::OkStatus();
  if (errno == EEXIST) {
    struct stat info;
    if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
      return absl::OkStatus();
    }
    return absl::ErrnoToStatus(ENOTDIR, "cannot make directory " + path);
  }
  const std::size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) {
    return absl::ErrnoToStatus(errno, "cannot make directory " + path);
  }
  VERNIER_RETURN_IF_ERROR(MakeDirectories(path.substr(0, slash)));
  // Another process may have made it meanwhile.
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return absl::ErrnoToStatus(errno, "cannot make directory " + path);
  }
  return absl::OkStatus();
}

}  // namespace vernier
