#ifndef VERNIER_STORE_SQLITE_PRIVATE_DATABASE_H_
#define VERNIER_STORE_SQLITE_PRIVATE_DATABASE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// A small database beside that of the studies.
struct PrivateDatabase {
  std::unique_ptr<SqliteDatabase> database;
  /// A note about the log when it was opened; nullopt: none.
  std::optional<LogNote> log_note;
};

/// Opens or makes a small database, readable by this user only, and brings it
/// to the newest schema.
///
/// Errors name the file: those of PrepareDatabaseFile and SqliteDatabase::Open;
/// those of CheckSchemaVersion, which change nothing.
absl::StatusOr<PrivateDatabase> OpenPrivateDatabase(const std::string& path,
                                                    const Schema& schema);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_PRIVATE_DATABASE_H_
