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

/// Looks at a database file before SQLite does: what its log lost, and whether
/// each page matches its checksum, as far as that is cheap (up to 256 MiB; the
/// pages of a larger one are looked at as they are read). A database of a
/// release before checksums gets them, in a copy that takes its place whole:
/// whoever dies on the way leaves the one or the other.
///
/// `first_with_checksums` is the schema version from which on a database has
/// them. Returns what there is to say of the log.
///
/// Errors: DATA_LOSS: it is damaged or no database; RESOURCE_EXHAUSTED: no room
/// for the copy; INTERNAL: it cannot be read.
absl::StatusOr<std::optional<LogNote>> PrepareDatabaseFile(
    const std::string& path, std::int64_t first_with_checksums,
    const std::string& vfs);

/// What the mark beside a database promises of its log; nullopt: nothing. A log
/// that another program moved into the database is nothing to promise.
std::optional<LogMark> ReadPromise(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log);

/// DATA_LOSS that names the file and says what to do about damage.
absl::Status DamagedDatabase(const std::string& path, const std::string& what);

/// Adds to a DATA_LOSS what to do about it, and to any error the file.
absl::Status WithDatabasePath(const std::string& path,
                              const absl::Status& status);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_DATABASE_FILE_H_
