#ifndef VERNIER_STORE_SQLITE_READER_H_
#define VERNIER_STORE_SQLITE_READER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/sqlite_database.h"
#include "store/store.h"
#include "store/working_state.h"

namespace vernier {

/// Reads everything that is held in memory: all but measurements and events.
/// The database must have the newest schema.
///
/// Errors: DATA_LOSS if a row cannot be understood.
absl::StatusOr<LoadedState> LoadState(SqliteDatabase& database);

/// Store::ListMeasurements, for a trial that is known.
absl::StatusOr<std::vector<Measurement>> ReadMeasurements(
    SqliteDatabase& database, StudyId study, TrialId trial,
    const std::string& metric, std::size_t limit);

/// Store::ListEvents.
absl::StatusOr<std::vector<Event>> ReadEvents(SqliteDatabase& database,
                                              EventSequence after,
                                              std::optional<StudyId> study,
                                              std::size_t limit);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_READER_H_
