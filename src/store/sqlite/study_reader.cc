#include "store/sqlite/study_reader.h"

#include <bit>
#include <chrono>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/sqlite/column_text.h"
#include "store/sqlite/timestamp_column.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

absl::StatusOr<std::shared_ptr<StudySnapshot>> ReadStudy(
    const SqliteStatement& row) {
  auto study = std::make_shared<StudySnapshot>();
  study->id = StudyId{row.Int(0)};
  study->name = row.Text(1);
  study->seed = std::bit_cast<std::uint64_t>(row.Int(5));
  VERNIER_ASSIGN_OR_RETURN(study->labels, ReadLabels(row.Text(6)));
  study->created_at = FromMicros(row.Int(10));
  study->version = row.Int(11);
  study->note = row.Text(12);
  study->last_event = EventSequence{row.Int(13)};
  if (row.IsNull(2)) return study;  // A job's study gets its spec from the job.
  VERNIER_ASSIGN_OR_RETURN(StudySpec spec, StudySpecFromJson(row.Text(2)));
  study->spec = std::make_shared<const StudySpec>(std::move(spec));
  ClientRun& run = study->run.emplace<ClientRun>();
  run.original = std::make_shared<const OriginalSpec>(
      OriginalSpec{row.Text(3), row.Bytes(4)});
  run.state = static_cast<StudyState>(row.Int(7));
  run.state_reason = row.Text(8);
  run.last_operation = row.Int(9);
  return study;
}

absl::Status ReadJob(const SqliteStatement& row, StudySnapshot* study) {
  JobRun& run = study->run.emplace<JobRun>();
  run.spec_json = row.Text(1);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob parsed, ParseStoredJob(run.spec_json));
  study->spec =
      std::make_shared<const StudySpec>(StudySpecOfStored(parsed.spec));
  run.spec = std::make_shared<const JobSpec>(std::move(parsed.spec));
  VERNIER_ASSIGN_OR_RETURN(run.ignored_fields, ReadStrings(row.Text(2)));
  run.max_trials = static_cast<int>(row.Int(3));
  run.made_up_trials = static_cast<int>(row.Int(4));
  run.state = static_cast<JobState>(row.Int(5));
  run.wanted = static_cast<JobWanted>(row.Int(6));
  run.wanted_reason = row.Text(7);
  run.error_message = row.Text(8);
  run.code_dir = row.Text(9);
  run.code_digest = row.Text(10);
  run.code_version = static_cast<int>(row.Int(11));
  run.version_changes = row.Text(12);
  run.version_at = FromMicros(row.Int(13));
  run.run_dir = row.Text(14);
  if (!row.IsNull(15)) run.resumed_study = StudyId{row.Int(15)};
  run.started_at = FromMicros(row.OptionalInt(16));
  run.ended_at = FromMicros(row.OptionalInt(17));
  run.waited_for = std::chrono::microseconds(row.Int(18));
  run.ran_for = std::chrono::microseconds(row.Int(19));
  run.consecutive_failures = static_cast<int>(row.Int(20));
  run.consecutive_instant_failures = static_cast<int>(row.Int(21));
  VERNIER_ASSIGN_OR_RETURN(run.ended_before_resume,
                           ReadEndCounts(row.Text(22)));
  run.wanted_cause = static_cast<WantedCause>(row.Int(23));
  return absl::OkStatus();
}

absl::Status ReadJobs(SqliteDatabase& database, const Studies& studies) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare(
          "SELECT study, spec_json, ignored_fields, max_trials,"
          " made_up_trials, state, wanted, wanted_reason, error_message,"
          " code_dir, code_digest, code_version, version_changes,"
          " version_at_us, run_dir, resumed_study, started_at_us, ended_at_us,"
          " waited_us, ran_us, consecutive_failures,"
          " consecutive_instant_failures, ended_before_resume, wanted_cause"
          " FROM job"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name = absl::StrCat("job, study ", rows.Int(0));
    const auto study = studies.find(StudyId{rows.Int(0)});
    if (study == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    const absl::Status read = ReadJob(rows, study->second.get());
    if (!read.ok()) return Damaged(name, read);
  }
}

absl::StatusOr<std::shared_ptr<const SpecEdit>> ReadEdit(
    const SqliteStatement& row) {
  auto edit = std::make_shared<SpecEdit>();
  edit->version = static_cast<int>(row.Int(1));
  VERNIER_ASSIGN_OR_RETURN(StudySpec replaced, StudySpecFromJson(row.Text(2)));
  edit->replaced = std::make_shared<const StudySpec>(std::move(replaced));
  edit->changes = row.Text(3);
  edit->client_data = row.Text(4);
  edit->at = FromMicros(row.Int(5));
  return edit;
}

absl::StatusOr<std::shared_ptr<const JobVersion>> ReadVersion(
    const SqliteStatement& row) {
  auto version = std::make_shared<JobVersion>();
  version->number = static_cast<int>(row.Int(1));
  version->spec_json = row.Text(2);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob parsed,
                           ParseStoredJob(version->spec_json));
  version->spec = std::make_shared<const JobSpec>(std::move(parsed.spec));
  version->code_dir = row.Text(3);
  version->changes = row.Text(4);
  version->created_at = FromMicros(row.Int(5));
  return version;
}

// Calls `read` for each row of a table of versions, which begins with the study
// and the number, and the study.
template <typename Read>
absl::Status ForEachVersion(SqliteDatabase& database, const char* query,
                            const Studies& studies, const Read& read) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows, database.Prepare(query));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name =
        absl::StrCat("version ", rows.Int(1), " of study ", rows.Int(0));
    const auto study = studies.find(StudyId{rows.Int(0)});
    if (study == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    const absl::Status status = read(rows, study->second.get());
    if (!status.ok()) return Damaged(name, status);
  }
}

absl::Status ReadVersions(SqliteDatabase& database, const Studies& studies) {
  VERNIER_RETURN_IF_ERROR(ForEachVersion(
      database,
      "SELECT study, number, spec_json, code_dir, changes, created_at_us"
      " FROM job_version ORDER BY study, number",
      studies, [](const SqliteStatement& row, StudySnapshot* study) {
        auto version = ReadVersion(row);
        if (!version.ok()) return version.status();
        if (!IsJob(*study)) {
          return absl::DataLossError("its job is missing");
        }
        JobRunOf(*study).earlier_versions.push_back(*std::move(version));
        return absl::OkStatus();
      }));
  return ForEachVersion(
      database,
      "SELECT study, version, replaced_spec_json, changes, client_data,"
      " created_at_us FROM study_edit ORDER BY study, version",
      studies, [](const SqliteStatement& row, StudySnapshot* study) {
        auto edit = ReadEdit(row);
        if (!edit.ok()) return edit.status();
        if (IsJob(*study)) {
          return absl::DataLossError("its study is a job");
        }
        ClientRunOf(*study).edits.push_back(*std::move(edit));
        return absl::OkStatus();
      });
}

}  // namespace

absl::StatusOr<Studies> ReadStudies(SqliteDatabase& database) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare(
          "SELECT id, name, spec_json, original_format, original_spec, seed,"
          " labels, state, state_reason, last_operation, created_at_us,"
          " version, note,"
          " (SELECT max(seq) FROM event WHERE event.study = study.id)"
          " FROM study ORDER BY id"));
  Studies studies;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) break;
    auto study = ReadStudy(rows);
    if (!study.ok()) {
      return Damaged(absl::StrCat("study ", rows.Int(0)), study.status());
    }
    const StudyId id = (*study)->id;
    studies.emplace(id, *std::move(study));
  }
  VERNIER_RETURN_IF_ERROR(ReadJobs(database, studies));
  for (const auto& [id, study] : studies) {
    if (study->spec != nullptr) continue;
    return Damaged(absl::StrCat("study ", ToInt(id)),
                   absl::DataLossError("it has neither a spec nor a job"));
  }
  VERNIER_RETURN_IF_ERROR(ReadVersions(database, studies));
  return studies;
}

}  // namespace vernier
