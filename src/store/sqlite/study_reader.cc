#include "store/sqlite/study_reader.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/study_event_payload.h"
#include "store/sqlite/timestamp_column.h"

namespace vernier {

absl::Status ReadClientStudy(const SqliteStatement& row, int first,
                             const std::string& spec_json,
                             StudySnapshot* study) {
  VERNIER_ASSIGN_OR_RETURN(StudySpec spec, StudySpecFromJson(spec_json));
  study->spec = std::make_shared<const StudySpec>(std::move(spec));
  study->state = static_cast<StudyState>(row.Int(first));
  study->state_reason = row.Text(first + 1);
  study->original = std::make_shared<const OriginalSpec>(
      OriginalSpec{row.Text(first + 2), row.Bytes(first + 3)});
  study->last_operation = row.Int(first + 4);
  return absl::OkStatus();
}

absl::Status ReadClientTrial(const SqliteStatement& row, int first,
                             TrialRecord* trial) {
  trial->client_id = row.Text(first);
  const std::string report = row.Text(first + 1);
  if (!report.empty()) {
    VERNIER_ASSIGN_OR_RETURN(trial->final_report, MetricReportFromJson(report));
  }
  if (!row.IsNull(first + 2))
    trial->deleted_at = FromMicros(row.Int(first + 2));
  const std::string brought = row.Text(first + 3);
  if (brought != "[]") {
    VERNIER_ASSIGN_OR_RETURN(trial->brought, MetricReportsFromJson(brought));
  }
  return absl::OkStatus();
}

absl::StatusOr<MetadataByOwner> ReadMetadata(SqliteDatabase& database) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT study, trial, namespace, key, is_text, value"
                       " FROM metadata"));
  MetadataByOwner all;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return all;
    Metadata& metadata = all[{StudyId{rows.Int(0)}, TrialId{rows.Int(1)}}];
    metadata.emplace(MetadataKey{rows.Text(2), rows.Text(3)},
                     MetadataValue{rows.Int(4) != 0, rows.Bytes(5)});
  }
}

absl::StatusOr<OperationRecord> ReadOperation(SqliteDatabase& database,
                                              StudyId study,
                                              std::int64_t number) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement row,
      database.Prepare("SELECT client_id, trials, answered_at_us FROM operation"
                       " WHERE study = ? AND number = ?"));
  VERNIER_RETURN_IF_ERROR(row.Start(ToInt(study), number));
  VERNIER_ASSIGN_OR_RETURN(const bool has_row, row.Step());
  if (!has_row) {
    return absl::NotFoundError(
        absl::StrCat("no such operation: ", ToInt(study), "/", number));
  }
  OperationRecord operation;
  operation.number = number;
  operation.client_id = row.Text(0);
  VERNIER_ASSIGN_OR_RETURN(operation.trials, TrialsFromJson(row.Text(1)));
  operation.answered_at = FromMicros(row.Int(2));
  return operation;
}

}  // namespace vernier
