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

/// The schemas of one kind of database. The strings are literals.
struct Schema {
  std::int64_t oldest = 1;         ///< The version that `base` leads to.
  const char* base = "";           ///< Makes the tables of an empty database.
  std::vector<const char*> later;  ///< Step i leads to version oldest + i + 1.

  std::int64_t newest() const {
    return oldest + static_cast<std::int64_t>(later.size());
  }
};

/// The schema of vernier.db.
const Schema& StudiesSchema();

/// Returns OK for a version that the schema leads from, or for 0, an empty
/// database. FAILED_PRECONDITION that names the versions for a newer one, which
/// a newer release made, and for an older one, which was made before the first
/// release.
absl::Status CheckSchemaVersion(const std::string& path, const Schema& schema,
                                std::int64_t found);

/// Sets the connection up with reliability before speed (FULL, EXCLUSIVE, WAL).
/// To be called first, and outside a transaction.
absl::Status ConfigureConnection(SqliteDatabase& database);

/// Applies the missing steps, each in one transaction together with its version
/// number, so that an interruption leaves the version before it. The version
/// passes CheckSchemaVersion.
absl::Status Migrate(SqliteDatabase& database, const Schema& schema);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SCHEMA_H_
