#ifndef VERNIER_TESTS_STORE_REPLAY_REPLAY_CHECK_H_
#define VERNIER_TESTS_STORE_REPLAY_REPLAY_CHECK_H_

#include "absl/status/status.h"
#include "store/check/table_rows.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// The oracle of the store's tests. It replays the events in order, checks that
/// each is legal in the state before it, and compares each row of the tables
/// with the state that the events add up to, so that a wrong table and a wrong
/// event both show. It shares no rules with the code that it checks: it reads
/// only the tables and the events of `database`, which has the newest schema.
///
/// Adds one line for each fault. Errors: those of SQLite.
absl::Status CompareWithEvents(SqliteDatabase& database,
                               Violations* violations);

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_REPLAY_REPLAY_CHECK_H_
