#ifndef VERNIER_BASE_REGULAR_FILE_H_
#define VERNIER_BASE_REGULAR_FILE_H_

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "base/unique_fd.h"

namespace vernier {

/// A file that was opened, or the reason why it was not.
struct RegularFile {
  UniqueFd fd;  ///< Open unless `error` or `is_other_kind` says why not.
  struct stat info {};
  int error = 0;  ///< An errno.
  /// An entry exists, but it is a folder, pipe, socket or device.
  bool is_other_kind = false;
};

/// As openat(2), for a file that another program may have put there, or may
/// replace at any instant: it never blocks, as open(2) does for the other end
/// of a pipe, and opens only a regular file. O_CLOEXEC is added to `flags`.
/// `path` is relative to `folder` (AT_FDCWD: the working directory) or
/// absolute.
inline RegularFile OpenRegularFile(int folder, const std::string& path,
                                   int flags, mode_t mode = 0) {
  RegularFile file;
  // O_NONBLOCK has no effect on regular files, and a terminal must not become
  // this process's own. The kind is checked after the file was opened, since
  // the name may refer to another file an instant later.
  UniqueFd fd(::openat(folder, path.c_str(),
                       flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode));
  if (!fd.is_open() || ::fstat(fd.get(), &file.info) != 0) {
    file.error = errno;
    // These are the errors of open(2) for a pipe without a reader, and for a
    // folder or socket.
    file.is_other_kind = file.error == ENXIO || file.error == EISDIR;
  } else if (!S_ISREG(file.info.st_mode)) {
    file.error = S_ISDIR(file.info.st_mode) ? EISDIR : ENXIO;
    file.is_other_kind = true;
  } else {
    file.fd = std::move(fd);
  }
  return file;
}

inline RegularFile OpenRegularFile(const std::string& path, int flags,
                                   mode_t mode = 0) {
  return OpenRegularFile(AT_FDCWD, path, flags, mode);
}

/// Returns the first offset from `offset` on at which the file has data:
/// `offset` itself, the end of a hole, or `size` if only a hole follows.
/// `offset` must be below `size`. Holes have no bytes on the disk and read as
/// zeros, so a file of terabytes may cost its writer nothing.
inline std::uint64_t FindData(int fd, std::uint64_t offset,
                              std::uint64_t size) {
  const off_t data = ::lseek(fd, static_cast<off_t>(offset), SEEK_DATA);
  if (data >= 0) return std::min(static_cast<std::uint64_t>(data), size);
  // Other errors mean that the file system does not support the query.
  return errno == ENXIO ? size : offset;
}

}  // namespace vernier

#endif  // VERNIER_BASE_REGULAR_FILE_H_
