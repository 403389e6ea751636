#ifndef VERNIER_STORE_SQLITE_CLIENT_READER_H_
#define VERNIER_STORE_SQLITE_CLIENT_READER_H_

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

/// Fills the client part of `study`, whose job id and spec_json are set, and
/// makes the job's spec. `first` is the first of kClientStudyColumns. The study
/// must be a client study.
absl::Status ReadClientStudy(const SqliteStatement& row, int first,
                             StudySnapshot* study);

/// Columns of `trial` that ReadClientTrial reads, in its order.
inline constexpr char kClientTrialColumns[] =
    "client_id, final_report, deleted_at_us, brought_reports";

/// The client part of a trial, without its metadata.
absl::StatusOr<ClientTrial> ReadClientTrial(const SqliteStatement& row,
                                            int first);

/// All metadata by study and trial; trial 0: the study's own.
using MetadataByOwner = std::map<std::pair<StudyId, TrialId>, Metadata>;
absl::StatusOr<MetadataByOwner> ReadMetadata(SqliteDatabase& database);

/// Store::FindOperation.
absl::StatusOr<OperationRecord> ReadOperation(SqliteDatabase& database,
                                              StudyId study,
                                              std::int64_t number);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_CLIENT_READER_H_
