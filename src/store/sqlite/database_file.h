#ifndef VERNIER_STORE_SQLITE_DATABASE_FILE_H_
#define VERNIER_STORE_SQLITE_DATABASE_FILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/pages/log_marker.h"
#include "store/pages/store_location.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Checks a database file before SQLite uses it: what its log lost, and whether
/// each page matches its checksum, up to 256 MiB (pages of a larger one are
/// checked when they are read). A database of a release before checksums gets
/// them, in a copy that replaces it in one step, so an interruption leaves the
/// old file or the new one.
///
/// `first_with_checksums` is the schema version from which on a database has
/// them. Returns a note about the log, if there is one.
///
/// Errors: DATA_LOSS: it is damaged or no database; RESOURCE_EXHAUSTED: no room
/// for the copy; INTERNAL: it cannot be read.
absl::StatusOr<std::optional<LogNote>> PrepareDatabaseFile(
    const std::string& path, std::int64_t first_with_checksums,
    const std::string& vfs);

/// The part of its log that the mark beside a database guarantees; nullopt:
/// none. If another program moved the log into the database, nothing is
/// missing.
std::optional<LogMark> ReadPromise(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log);

/// DATA_LOSS that names the file and says what to do.
absl::Status DamagedDatabase(const std::string& path, const std::string& what);

/// Adds advice to a DATA_LOSS, and the file to any error.
absl::Status WithDatabasePath(const std::string& path,
                              const absl::Status& status);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_DATABASE_FILE_H_
