#ifndef VERNIER_STORE_PAGES_FILE_WRITE_H_
#define VERNIER_STORE_PAGES_FILE_WRITE_H_

#include <sqlite3.h>

#include "base/process/no_room.h"

namespace vernier {

/// Writes to a file of SQLite's own. SQLite takes a full quota for a fault of
/// the disk, after which nothing may be written any more. Here it is
/// SQLITE_FULL, like a full disk, after which there may be room again.
inline int WriteToFile(sqlite3_file& file, const void* data, int size,
                       sqlite3_int64 offset) {
  const int code = file.pMethods->xWrite(&file, data, size, offset);
  if (code != SQLITE_IOERR_WRITE) return code;
  int error = 0;
  const int known =
      file.pMethods->xFileControl(&file, SQLITE_FCNTL_LAST_ERRNO, &error);
  return known == SQLITE_OK && IsNoRoom(error) ? SQLITE_FULL : code;
}

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_FILE_WRITE_H_
