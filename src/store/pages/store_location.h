#ifndef VERNIER_STORE_PAGES_STORE_LOCATION_H_
#define VERNIER_STORE_PAGES_STORE_LOCATION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// The folder that contains the database file `path`.
std::string FolderOf(const std::string& path);

/// True for the statfs(2) f_type of a network file system. SQLite's write-ahead
/// log is not safe on one: https://www.sqlite.org/wal.html, section 1.
bool IsNetworkFilesystem(std::int64_t filesystem_type);

/// Checks the place of a database without writing a byte.
///
/// Errors: NOT_FOUND: no such folder; PERMISSION_DENIED: the folder or the file
/// belongs to another user; INTERNAL: it cannot be written to, or lies on a
/// network file system and `allow_network_filesystem` is off.
absl::Status CheckLocation(const std::string& path,
                           bool allow_network_filesystem);

/// The content of the first 100 bytes of a database file.
struct DatabaseHeader {
  bool is_new = false;  ///< No file, or an empty one.
  std::int64_t user_version = 0;
  std::int64_t application_id = 0;
  std::int64_t page_size = 0;
  std::int64_t page_count = 0;
  int reserved_bytes = 0;  ///< At the end of each page.
  std::int64_t file_bytes = 0;
};

/// Reads the header without SQLite, which could write to the file. It is at
/// `offset`, which is not 0 in a write-ahead log.
///
/// Errors: DATA_LOSS: not a SQLite database, or a header that none can have;
/// INTERNAL: cannot be read.
absl::StatusOr<DatabaseHeader> ReadDatabaseHeader(const std::string& path,
                                                  std::int64_t offset = 0);

/// Holds `store.lock` in a folder, so that one process at a time uses the
/// database there. The kernel frees it when the process dies, however it dies.
class StoreLock {
 public:
  /// ABORTED if another process, or another StoreLock, holds it; the message
  /// names the process if it is known. Waits a few seconds if the holder is
  /// dead but a child that it had just forked still shares its lock. INTERNAL
  /// if the file cannot be made.
  static absl::StatusOr<StoreLock> Acquire(const std::string& folder);

  /// As Acquire, but writes nothing and makes no file. It excludes a service,
  /// but not other readers. A folder without the file is not in use.
  static absl::StatusOr<StoreLock> AcquireToLook(const std::string& folder);

  StoreLock(StoreLock&& other) noexcept;
  StoreLock& operator=(StoreLock&& other) noexcept;
  ~StoreLock();

 private:
  explicit StoreLock(int file) : file_(file) {}

  int file_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_STORE_LOCATION_H_
