#ifndef VERNIER_STORE_SQLITE_SQLITE_READER_H_
#define VERNIER_STORE_SQLITE_SQLITE_READER_H_

#include "absl/status/statusor.h"
#include "store/model/working_state.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Reads all data that is kept in memory: everything but measurements,
/// operations and events. The database must have the newest schema.
///
/// Errors: DATA_LOSS if a row cannot be parsed.
absl::StatusOr<LoadedState> LoadState(SqliteDatabase& database);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SQLITE_READER_H_
