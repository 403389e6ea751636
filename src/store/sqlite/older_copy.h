#ifndef VERNIER_STORE_SQLITE_OLDER_COPY_H_
#define VERNIER_STORE_SQLITE_OLDER_COPY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// The name of the copy that KeepOlderCopy makes: `path` + ".schema-" +
/// `version`.
std::string OlderCopyPath(const std::string& path, std::int64_t version);

/// Keeps a copy of the database at `path`, which `database` has open, before a
/// step to another schema changes it: whoever goes back to the older release
/// needs it. The copy is readable by its owner only, durable, and complete or
/// not there; one that an interrupted upgrade left is replaced.
///
/// Errors: those of the file system and of SQLite, above all that there is no
/// space; the database is unchanged then.
absl::Status KeepOlderCopy(SqliteDatabase& database, const std::string& path,
                           std::int64_t version);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_OLDER_COPY_H_
