#ifndef VERNIER_STORE_SQLITE_SCHEMA_H_
#define VERNIER_STORE_SQLITE_SCHEMA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Bytes "VRNR" in the header of our databases.
inline constexpr std::int64_t kApplicationId = 0x56524e52;

/// The steps from an empty database to the newest schema; step i leads to
/// version i + 1. The strings are literals.
const std::vector<const char*>& Migrations();

/// Schema version from which on the pages of a database have checksums.
inline constexpr std::int64_t kFirstSchemaWithChecksums = 6;

/// Version that Migrations() leads to.
std::int64_t NewestSchema();

/// FAILED_PRECONDITION that names both versions.
absl::Status NewerSchemaError(const std::string& path, std::int64_t found);

/// Sets the connection up (reliability before speed: FULL, EXCLUSIVE, WAL).
/// To be called first, and outside a transaction.
absl::Status ConfigureConnection(SqliteDatabase& database);

/// Applies the missing steps, each in one transaction together with its version
/// number, so that an interruption leaves the version before it.
absl::Status Migrate(SqliteDatabase& database,
                     const std::vector<const char*>& migrations);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SCHEMA_H_
