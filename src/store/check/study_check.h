#ifndef VERNIER_STORE_CHECK_STUDY_CHECK_H_
#define VERNIER_STORE_CHECK_STUDY_CHECK_H_

#include "absl/status/status.h"
#include "store/check/event_replay.h"
#include "store/check/table_comparison.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Compares the parts of client studies with the sum of the events: states,
/// clients, final reports, tombstones, metadata, operations.
absl::Status CompareClientParts(SqliteDatabase& database,
                                const EventReplay& replay,
                                Violations* violations);

}  // namespace vernier

#endif  // VERNIER_STORE_CHECK_STUDY_CHECK_H_
