#ifndef VERNIER_STORE_SQLITE_HISTORY_READER_H_
#define VERNIER_STORE_SQLITE_HISTORY_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/sqlite/sqlite_database.h"
#include "store/store.h"

namespace vernier {

/// Readers of data that is not in memory, from a database with the newest
/// schema. `names` are StudySpec::renamed_from: metrics are asked for, and
/// answered, by their present names.

/// Store::ListMeasurements, for a trial that is known.
absl::StatusOr<std::vector<Measurement>> ReadMeasurements(
    SqliteDatabase& database, StudyId study, TrialId trial,
    const std::string& metric, const FormerNames& names, std::size_t limit);

/// Store::ListMeasurementsAfter, likewise.
absl::StatusOr<std::vector<Measurement>> ReadMeasurementsAfter(
    SqliteDatabase& database, const AttemptKey& attempt,
    const std::string& metric, const FormerNames& names, std::int64_t step,
    std::size_t limit);

/// Store::ListStudyMeasurements, for a study that is known.
absl::StatusOr<std::vector<TrialMeasurement>> ReadStudyMeasurements(
    SqliteDatabase& database, StudyId study, TrialId first, TrialId last,
    const FormerNames& names, std::size_t limit);

/// Store::ListEvents.
absl::StatusOr<std::vector<Event>> ReadEvents(SqliteDatabase& database,
                                              EventSequence after,
                                              std::optional<StudyId> study,
                                              std::size_t limit);

/// Store::FindOperation.
absl::StatusOr<OperationRecord> ReadOperation(SqliteDatabase& database,
                                              StudyId study,
                                              std::int64_t number);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_HISTORY_READER_H_
