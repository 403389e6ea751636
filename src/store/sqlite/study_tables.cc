#include "store/sqlite/study_tables.h"

#include <bit>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/events/study_event_payload.h"
#include "store/sqlite/timestamp_column.h"

namespace vernier {
namespace {

constexpr char kAddStudy[] =
    "INSERT INTO study (id, name, spec_json, original_format, original_spec,"
    " seed, labels, state, state_reason, last_operation, created_at_us, "
    "version)"
    " VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kChangeStudy[] =
    "UPDATE study SET labels = ?, note = ?, state = ?, state_reason = ?,"
    " last_operation = ?, version = ? WHERE id = ?";
constexpr char kChangeSpec[] =
    "UPDATE study SET spec_json = ?, version = ? WHERE id = ?";
constexpr char kAddEdit[] =
    "INSERT INTO study_edit (study, version, replaced_spec_json, changes,"
    " client_data, created_at_us) VALUES (?, ?, ?, ?, ?, ?)";
constexpr char kChangeParameters[] =
    "UPDATE trial SET parameters = ? WHERE study = ? AND number = ?";
constexpr char kRemoveStudy[] = "DELETE FROM study WHERE id = ?";
constexpr char kDeleteTrial[] =
    "UPDATE trial SET deleted_at_us = ? WHERE study = ? AND number = ?";
constexpr char kPutMetadata[] =
    "INSERT INTO metadata (study, trial, namespace, key, is_text, value)"
    " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (study, trial, namespace, key)"
    " DO UPDATE SET is_text = excluded.is_text, value = excluded.value";
constexpr char kAddOperation[] =
    "INSERT INTO operation (study, number, client_id, trials, answered_at_us)"
    " VALUES (?, ?, ?, ?, ?)";

// The row of a job has the columns of clients' studies, too; they are those of
// a study that has just been made.
const ClientRun& ClientColumnsOf(const StudySnapshot& study) {
  static const ClientRun kNew;
  return IsJob(study) ? kNew : ClientRunOf(study);
}

}  // namespace

absl::Status StudyTables::Prepare(SqliteDatabase& database) {
  const std::pair<SqliteStatement*, const char*> statements[] = {
      {&add_study_, kAddStudy},
      {&change_study_, kChangeStudy},
      {&change_spec_, kChangeSpec},
      {&add_edit_, kAddEdit},
      {&remove_study_, kRemoveStudy},
      {&change_parameters_, kChangeParameters},
      {&delete_trial_, kDeleteTrial},
      {&put_metadata_, kPutMetadata},
      {&add_operation_, kAddOperation},
  };
  for (const auto& [statement, sql] : statements) {
    VERNIER_ASSIGN_OR_RETURN(*statement, database.Prepare(sql));
  }
  return absl::OkStatus();
}

absl::Status StudyTables::AddStudy(const StudySnapshot& study) {
  const ClientRun& run = ClientColumnsOf(study);
  // The spec of a job's study follows from the job's spec, which is stored
  // once.
  const std::string spec = IsJob(study) ? "" : StudySpecToJson(*study.spec);
  return add_study_.Run(
      ToInt(study.id), study.name, spec, run.original->format,
      Blob{run.original->bytes}, std::bit_cast<std::int64_t>(study.seed),
      LabelsToJson(study.labels), static_cast<int>(run.state), run.state_reason,
      run.last_operation, Micros(study.created_at), study.version);
}

absl::Status StudyTables::ChangeStudy(const StudySnapshot& study) {
  const ClientRun& run = ClientColumnsOf(study);
  return change_study_.Run(LabelsToJson(study.labels), study.note,
                           static_cast<int>(run.state), run.state_reason,
                           run.last_operation, study.version, ToInt(study.id));
}

absl::Status StudyTables::ChangeSpec(const StudySnapshot& study) {
  return change_spec_.Run(StudySpecToJson(*study.spec), study.version,
                          ToInt(study.id));
}

absl::Status StudyTables::EditSpec(const StudySnapshot& study, int version) {
  const SpecEdit& edit =
      *ClientRunOf(study).edits[static_cast<std::size_t>(version) - 2];
  VERNIER_RETURN_IF_ERROR(add_edit_.Run(
      ToInt(study.id), edit.version, StudySpecToJson(*edit.replaced),
      edit.changes, edit.client_data, Micros(edit.at)));
  return ChangeSpec(study);
}

absl::Status StudyTables::ChangeParameters(StudyId study,
                                           const TrialRecord& trial) {
  return change_parameters_.Run(ParametersToJson(trial.parameters),
                                ToInt(study), ToInt(trial.id));
}

absl::Status StudyTables::RemoveStudy(StudyId study) {
  return remove_study_.Run(ToInt(study));
}

absl::Status StudyTables::DeleteTrial(StudyId study, const TrialRecord& trial) {
  return delete_trial_.Run(Micros(*trial.deleted_at), ToInt(study),
                           ToInt(trial.id));
}

absl::Status StudyTables::Write(const Effects& effects) {
  for (const MetadataRow& row : effects.metadata) {
    VERNIER_RETURN_IF_ERROR(put_metadata_.Run(
        ToInt(row.study), ToInt(row.trial), row.key.first, row.key.second,
        row.value.is_text ? 1 : 0, Blob{row.value.value}));
  }
  for (const auto& [study, operation] : effects.operations) {
    VERNIER_RETURN_IF_ERROR(add_operation_.Run(
        ToInt(study), operation.number, operation.client_id,
        TrialsToJson(operation.trials), Micros(operation.answered_at)));
  }
  return absl::OkStatus();
}

}  // namespace vernier
