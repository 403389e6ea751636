#ifndef VERNIER_TESTS_STORE_REPLAY_CLIENT_COMPARISON_H_
#define VERNIER_TESTS_STORE_REPLAY_CLIENT_COMPARISON_H_

#include "absl/status/status.h"
#include "store/sqlite/sqlite_database.h"
#include "tests/store/replay/event_replay.h"
#include "tests/store/replay/table_comparison.h"

namespace vernier {

/// Compares the parts of client studies with the sum of the events: states,
/// clients, final reports, tombstones, metadata, operations.
absl::Status CompareClientParts(SqliteDatabase& database,
                                const EventReplay& replay,
                                Violations* violations);

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_REPLAY_CLIENT_COMPARISON_H_
