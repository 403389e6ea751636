#include "store/pages/store_location.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "store/pages/store_file_error.h"

namespace vernier {
namespace {

constexpr int kMaxLockTries = 500;
constexpr useconds_t kLockRetryMicros = 10'000;

std::string UserName(uid_t id) {
  const passwd* entry = getpwuid(id);
  return entry == nullptr ? absl::StrCat("user ", id) : entry->pw_name;
}

absl::Status CheckOwner(const std::string& path, const struct stat& entry) {
  if (entry.st_uid == geteuid()) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat(
      path, " belongs to ", UserName(entry.st_uid), ", not to ",
      UserName(geteuid()), "; choose another data directory with --data-dir"));
}

// Reads up to `size` bytes. Returns their number, or -1 with errno set.
ssize_t ReadAtOnce(int file, void* buffer, std::size_t size, off_t offset) {
  ssize_t count = -1;
  do {
    count = pread(file, buffer, size, offset);
  } while (count < 0 && errno == EINTR);
  return count;
}

// Returns the pid of the lock's holder, as the holder wrote it; 0: unknown.
pid_t ReadHolder(int file) {
  char text[32] = {};
  if (ReadAtOnce(file, text, sizeof text - 1, 0) <= 0) return 0;
  return static_cast<pid_t>(std::strtol(text, nullptr, 10));
}

// Returns false if the process has ended, even if it was not reaped yet.
bool IsAlive(pid_t pid) {
  if (kill(pid, 0) != 0) return errno != ESRCH;
  std::ifstream stat(absl::StrCat("/proc/", pid, "/stat"));
  std::string line;
  std::getline(stat, line);
  const std::size_t name_end = line.rfind(')');  // "pid (name) state ..."
  return name_end == std::string::npos || line.size() < name_end + 3 ||
         line[name_end + 2] != 'Z';
}

// Tries to lock the whole of `file`. Returns 0 or an errno. A forked child of
// the holder shares the lock until it executes its own program. If the holder
// is killed in that moment, the child outlives it a little, so the lock is
// tried again for a while if its holder is dead.
int LockPatiently(int file, short kind) {
  // An open-file-description lock. Unlike a process's lock it is not released
  // when other code in this process closes the same file.
  struct flock range {};
  range.l_type = kind;
  range.l_whence = SEEK_SET;
  for (int i = 0; fcntl(file, F_OFD_SETLK, &range) != 0; ++i) {
    const int error = errno;
    if (error != EAGAIN && error != EACCES) return error;
    const pid_t holder = ReadHolder(file);
    if (holder <= 0 || IsAlive(holder) || i == kMaxLockTries) return EAGAIN;
    usleep(kLockRetryMicros);
  }
  return 0;
}

// Locks a file; messages name it by `path`.
absl::Status LockFile(int file, short kind, const std::string& path) {
  const int error = LockPatiently(file, kind);
  if (error == 0) return absl::OkStatus();
  if (error != EAGAIN) return StoreFileError("cannot lock", path, error);
  const pid_t holder = ReadHolder(file);
  return absl::AbortedError(absl::StrCat(
      "another service uses ", FolderOf(path), ": ",
      holder > 0 && IsAlive(holder) ? absl::StrCat("process ", holder)
                                    : "another process",
      " holds ", path, "; stop it or choose another --data-dir"));
}

}  // namespace

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

bool IsNetworkFilesystem(std::int64_t filesystem_type) {
  switch (static_cast<std::uint32_t>(filesystem_type)) {
    case 0x00006969:  // NFS
    case 0x0000517b:  // SMB
    case 0xff534d42:  // CIFS
    case 0xfe534d42:  // SMB2
    case 0x0bd00bd0:  // Lustre
    case 0x47504653:  // GPFS
    case 0x00c36400:  // Ceph
    case 0x5346414f:  // AFS
    case 0x01021997:  // 9P
    case 0x19830326:  // BeeGFS
    case 0x01161970:  // GFS2
    case 0x7461636f:  // OCFS2
      return true;
    default:
      return false;
  }
}

absl::Status CheckLocation(const std::string& path,
                           bool allow_network_filesystem) {
  const std::string folder = FolderOf(path);
  struct stat entry {};
  if (stat(folder.c_str(), &entry) != 0) {
    if (errno == ENOENT) {
      return absl::NotFoundError(absl::StrCat("no such folder: ", folder));
    }
    return StoreFileError("cannot look at", folder, errno);
  }
  if (!S_ISDIR(entry.st_mode)) {
    return StoreFileError("cannot use", folder, ENOTDIR);
  }
  VERNIER_RETURN_IF_ERROR(CheckOwner(folder, entry));
  if (stat(path.c_str(), &entry) == 0) {
    VERNIER_RETURN_IF_ERROR(CheckOwner(path, entry));
    if (!S_ISREG(entry.st_mode)) {
      return absl::InternalError(absl::StrCat("not a regular file: ", path));
    }
    if (euidaccess(path.c_str(), R_OK | W_OK) != 0) {
      return StoreFileError("cannot read and write", path, errno);
    }
  } else if (errno != ENOENT) {
    return StoreFileError("cannot look at", path, errno);
  }
  // SQLite makes a log beside the database, so the folder must be writable.
  if (euidaccess(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    return StoreFileError("cannot write to", folder, errno);
  }
  struct statfs filesystem {};
  if (statfs(folder.c_str(), &filesystem) != 0) {
    return StoreFileError("cannot look at the file system of", folder, errno);
  }
  if (IsNetworkFilesystem(filesystem.f_type) && !allow_network_filesystem) {
    return absl::InternalError(absl::StrCat(
        folder, " is on a network file system, where the database could be ",
        "damaged; choose a data directory on a local disk with --data-dir"));
  }
  return absl::OkStatus();
}

absl::StatusOr<DatabaseHeader> ReadDatabaseHeader(const std::string& path,
                                                  std::int64_t offset) {
  DatabaseHeader header;
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    if (errno != ENOENT) return StoreFileError("cannot read", path, errno);
    header.is_new = true;
    return header;
  }
  struct stat entry {};
  if (fstat(file.get(), &entry) != 0) {
    return StoreFileError("cannot look at", path, errno);
  }
  header.file_bytes = entry.st_size;
  unsigned char bytes[100];
  const ssize_t count = ReadAtOnce(file.get(), bytes, sizeof bytes, offset);
  if (count < 0) return StoreFileError("cannot read", path, errno);
  header.is_new = count == 0;
  if (header.is_new) return header;
  if (count < 100 || std::memcmp(bytes, "SQLite format 3", 16) != 0) {
    return absl::DataLossError(absl::StrCat(
        path, " is damaged or not a database: its header is not SQLite's"));
  }
  // Offsets: https://www.sqlite.org/fileformat.html, section 1.3.
  header.page_size = (bytes[16] << 8) | bytes[17];
  if (header.page_size == 1) header.page_size = 65536;
  if (header.page_size < 512 ||
      !std::has_single_bit(static_cast<unsigned>(header.page_size))) {
    return absl::DataLossError(absl::StrCat(
        path, " is damaged: its header has a page size of ", header.page_size));
  }
  header.reserved_bytes = bytes[20];
  header.page_count = ReadBigEndian(bytes + 28);
  header.user_version = ReadBigEndian(bytes + 60);
  header.application_id = ReadBigEndian(bytes + 68);
  return header;
}

absl::StatusOr<StoreLock> StoreLock::Acquire(const std::string& folder) {
  const std::string path = folder + "/store.lock";
  const int file =
      open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return StoreFileError("cannot make", path, errno);
  StoreLock lock(file);
  VERNIER_RETURN_IF_ERROR(LockFile(file, F_WRLCK, path));
  // The pid is only for other processes' messages; the lock works without it.
  const std::string holder = absl::StrCat(getpid(), "\n");
  if (ftruncate(file, 0) == 0) {
    [[maybe_unused]] const ssize_t written =
        pwrite(file, holder.data(), holder.size(), 0);
  }
  return lock;
}

absl::StatusOr<StoreLock> StoreLock::AcquireToLook(const std::string& folder) {
  const std::string path = folder + "/store.lock";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  // Acquiring the lock to read must write nothing, so it does not make the
  // file.
  if (file < 0 && errno == ENOENT) return StoreLock(-1);
  if (file < 0) return StoreFileError("cannot open", path, errno);
  StoreLock lock(file);
  VERNIER_RETURN_IF_ERROR(LockFile(file, F_RDLCK, path));
  return lock;
}

StoreLock::StoreLock(StoreLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)) {}

StoreLock& StoreLock::operator=(StoreLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

StoreLock::~StoreLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace vernier
