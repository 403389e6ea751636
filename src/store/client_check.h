#ifndef VERNIER_STORE_CLIENT_CHECK_H_
#define VERNIER_STORE_CLIENT_CHECK_H_

#include "absl/status/status.h"
#include "store/event_replay.h"
#include "store/sqlite_database.h"
#include "store/table_comparison.h"

namespace vernier {

/// Compares what only studies have that clients run with what the events add
/// up to: states, clients, final reports, tombstones, metadata, operations.
absl::Status CompareClientParts(SqliteDatabase& database,
                                const EventReplay& replay,
                                Violations* violations);

}  // namespace vernier

#endif  // VERNIER_STORE_CLIENT_CHECK_H_
