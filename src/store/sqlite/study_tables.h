#ifndef VERNIER_STORE_SQLITE_STUDY_TABLES_H_
#define VERNIER_STORE_SQLITE_STUDY_TABLES_H_

#include "absl/status/status.h"
#include "store/model/study_model.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

/// Writes the rows that every study has, whoever runs it, and those of client
/// studies alone: tombstones, metadata and operations. Not thread-safe:
/// SqliteTables owns it.
class StudyTables {
 public:
  /// `database` must have the newest schema and outlive this.
  absl::Status Prepare(SqliteDatabase& database);

  absl::Status AddStudy(const StudySnapshot& study);
  absl::Status ChangeStudy(const StudySnapshot& study);
  absl::Status ChangeSpec(const StudySnapshot& study);
  /// Keeps the spec that this version replaced, with its edit, and changes the
  /// study's.
  absl::Status EditSpec(const StudySnapshot& study, int version);
  absl::Status ChangeParameters(StudyId study, const TrialRecord& trial);
  /// Removes the study and all rows that refer to it except its events.
  absl::Status RemoveStudy(StudyId study);
  absl::Status DeleteTrial(StudyId study, const TrialRecord& trial);
  /// Writes the metadata and operations of one change.
  absl::Status Write(const Effects& effects);

 private:
  SqliteStatement add_study_, change_study_, change_spec_, add_edit_,
      change_parameters_, remove_study_, delete_trial_, put_metadata_,
      add_operation_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_STUDY_TABLES_H_
