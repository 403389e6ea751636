#ifndef VERNIER_STORE_PRIVATE_DATABASE_H_
#define VERNIER_STORE_PRIVATE_DATABASE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/sqlite_database.h"

namespace vernier {

/// Opens or makes a small database beside that of the studies, readable by this
/// user only, and brings it to the schema that `migrations` lead to.
///
/// Errors: those of SqliteDatabase::Open; FAILED_PRECONDITION for a newer
/// schema, of which nothing is changed.
absl::StatusOr<std::unique_ptr<SqliteDatabase>> OpenPrivateDatabase(
    const std::string& path, const std::vector<const char*>& migrations);

}  // namespace vernier

#endif  // VERNIER_STORE_PRIVATE_DATABASE_H_
