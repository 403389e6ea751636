#ifndef VERNIER_STORE_SQLITE_PRIVATE_DATABASE_H_
#define VERNIER_STORE_SQLITE_PRIVATE_DATABASE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// A small database beside that of the studies.
struct PrivateDatabase {
  std::unique_ptr<SqliteDatabase> database;
  /// A note about the log when it was opened; nullopt: none.
  std::optional<LogNote> log_note;
};

/// The steps that bring a private database to its newest schema.
struct PrivateSchema {
  std::vector<const char*> migrations;
  /// Version from which on its pages have checksums.
  std::int64_t first_with_checksums = 1;
};

/// Opens or makes one, readable by this user only, and brings it to the newest
/// schema.
///
/// Errors name the file: those of PrepareDatabaseFile and SqliteDatabase::Open;
/// FAILED_PRECONDITION for a newer schema, which is not changed.
absl::StatusOr<PrivateDatabase> OpenPrivateDatabase(
    const std::string& path, const PrivateSchema& schema);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_PRIVATE_DATABASE_H_
