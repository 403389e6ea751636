#ifndef VERNIER_STORE_SQLITE_DATABASE_FILE_H_
#define VERNIER_STORE_SQLITE_DATABASE_FILE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/pages/log_marker.h"
#include "store/pages/store_location.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/schema.h"

namespace vernier {

/// Checks a database file before SQLite uses it: what its log lost, and whether
/// each page matches its checksum, up to 256 MiB (pages of a larger one are
/// checked when they are read). Changes nothing. Returns a note about the log,
/// if there is one.
///
/// Errors: DATA_LOSS: it is damaged, no database, or another program's; those
/// of CheckSchemaVersion for one without checksums; INTERNAL: it cannot be
/// read.
absl::StatusOr<std::optional<LogNote>> PrepareDatabaseFile(
    const std::string& path, const Schema& schema);

/// DATA_LOSS that says so.
absl::Status ForeignDatabase(const std::string& path);

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
