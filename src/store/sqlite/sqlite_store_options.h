#ifndef VERNIER_STORE_SQLITE_SQLITE_STORE_OPTIONS_H_
#define VERNIER_STORE_SQLITE_SQLITE_STORE_OPTIONS_H_

#include <string>

namespace vernier {

struct SqliteStoreOptions {
  /// Opens even on a network file system, where a crash can damage the file.
  bool allow_network_filesystem = false;
  /// The largest size of the database in pages of 4 KiB; 0: no bound but the
  /// disk. Reaching it is the same error as a full disk.
  int max_pages = 0;
  /// The SQLite VFS to use; empty: the system's. Tests inject faults with it.
  std::string vfs{};
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SQLITE_STORE_OPTIONS_H_
