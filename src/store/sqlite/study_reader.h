#ifndef VERNIER_STORE_SQLITE_STUDY_READER_H_
#define VERNIER_STORE_SQLITE_STUDY_READER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/sqlite/sqlite_database.h"
#include "store/store.h"

namespace vernier {

/// Columns of `study` that ReadClientStudy reads, in its order.
inline constexpr char kClientStudyColumns[] =
    "study_state, state_reason, original_format, original_spec, last_operation";

/// Fills the fields of `study` that only studies of clients have. `first` is
/// the first of kClientStudyColumns.
absl::Status ReadClientStudy(const SqliteStatement& row, int first,
                             const std::string& spec_json,
                             StudySnapshot* study);

/// Columns of `trial` that ReadClientTrial reads, in its order.
inline constexpr char kClientTrialColumns[] =
    "client_id, final_report, deleted_at_us, brought_reports";

/// Fills the fields of a trial that only trials of clients have, without
/// metadata.
absl::Status ReadClientTrial(const SqliteStatement& row, int first,
                             TrialRecord* trial);

/// All metadata by study and trial; trial 0: the study's own.
using MetadataByOwner = std::map<std::pair<StudyId, TrialId>, Metadata>;
absl::StatusOr<MetadataByOwner> ReadMetadata(SqliteDatabase& database);

/// Store::FindOperation.
absl::StatusOr<OperationRecord> ReadOperation(SqliteDatabase& database,
                                              StudyId study,
                                              std::int64_t number);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_STUDY_READER_H_
