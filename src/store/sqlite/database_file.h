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

/// Checks a database file before SQLite uses it: that its log lost nothing, and
/// that each page matches its checksum, up to 256 MiB (pages of a larger file
/// are checked when they are read). Changes nothing. Returns a note about the
/// log, if there is one.
///
/// Errors: DATA_LOSS: it is damaged, no database, or another program's; those
/// of CheckSchemaVersion for one without checksums; INTERNAL: it cannot be
/// read.
absl::StatusOr<std::optional<LogNote>> PrepareDatabaseFile(
    const std::string& path, const Schema& schema);

/// Returns DATA_LOSS with the message that the file belongs to another program.
absl::Status ForeignDatabase(const std::string& path);

/// Returns the part of its log that the mark beside a database guarantees;
/// nullopt: none. If another program moved the log into the database, nothing
/// is missing.
std::optional<LogMark> ReadPromise(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log);

/// Returns DATA_LOSS that names the file and gives advice.
absl::Status DamagedDatabase(const std::string& path, const std::string& what);

/// Returns `status` with the file's path and, if it is DATA_LOSS, advice.
absl::Status WithDatabasePath(const std::string& path,
                              const absl::Status& status);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_DATABASE_FILE_H_
