#ifndef VERNIER_STORE_SQLITE_STUDY_TABLES_H_
#define VERNIER_STORE_SQLITE_STUDY_TABLES_H_

#include "absl/status/status.h"
#include "store/model/study_model.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Writes the parts that only studies of clients have: their own columns,
/// metadata and operations. Not thread-safe: SqliteTables owns it.
class StudyTables {
 public:
  /// `database` must have the newest schema and outlive this.
  absl::Status Prepare(SqliteDatabase& database);

  absl::Status ChangeStudy(const StudySnapshot& study);
  absl::Status DeleteTrial(StudyId study, const TrialRecord& trial);
  /// Metadata and operations of one change.
  absl::Status Write(const Effects& effects);

 private:
  SqliteStatement change_study_, delete_trial_, put_metadata_, add_operation_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_STUDY_TABLES_H_
