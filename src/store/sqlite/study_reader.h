#ifndef VERNIER_STORE_SQLITE_STUDY_READER_H_
#define VERNIER_STORE_SQLITE_STUDY_READER_H_

#include <map>
#include <memory>

#include "absl/status/statusor.h"
#include "store/sqlite/sqlite_database.h"
#include "store/store.h"

namespace vernier {

using Studies = std::map<StudyId, std::shared_ptr<StudySnapshot>>;

/// Reads all studies with their jobs and the jobs' versions, without trials,
/// queued points and metadata. DATA_LOSS names the row that cannot be read.
absl::StatusOr<Studies> ReadStudies(SqliteDatabase& database);

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_STUDY_READER_H_
