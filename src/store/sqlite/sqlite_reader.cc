#include "store/sqlite/sqlite_reader.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "store/sqlite/sqlite_tables.h"
#include "store/sqlite/study_reader.h"
#include "store/sqlite/timestamp_column.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using Studies = std::map<StudyId, std::shared_ptr<StudySnapshot>>;

std::optional<Timestamp> OptionalTime(const SqliteStatement& row, int column) {
  return FromMicros(row.OptionalInt(column));
}

std::optional<FinalMeasurement> ValueAt(const SqliteStatement& row,
                                        int step_column) {
  if (row.IsNull(step_column)) return std::nullopt;
  return FinalMeasurement{row.Int(step_column),
                          FromBits(row.Int(step_column + 1))};
}

std::optional<int> OptionalInt(const SqliteStatement& row, int column) {
  if (row.IsNull(column)) return std::nullopt;
  return static_cast<int>(row.Int(column));
}

absl::Status Damaged(const std::string& what, const absl::Status& why) {
  return absl::DataLossError(absl::StrCat("the database holds a damaged ", what,
                                          ": ", std::string(why.message())));
}

absl::StatusOr<std::vector<std::string>> ReadStrings(const std::string& text) {
  std::vector<std::string> strings;
  if (text == "[]") return strings;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const Json& item : json) {
    if (!item.is_string()) return absl::DataLossError("expected a string");
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

absl::StatusOr<std::map<TrialEndCause, int>> ReadEndCounts(
    const std::string& text) {
  std::map<TrialEndCause, int> ended;
  if (text == "[]") return ended;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const Json& item : json) {
    if (!item.is_array() || item.size() != 2 || !item[0].is_number_integer() ||
        !item[1].is_number_integer()) {
      return absl::DataLossError("expected pairs of a cause and a count");
    }
    ended[static_cast<TrialEndCause>(item[0].get<int>())] = item[1].get<int>();
  }
  return ended;
}

absl::StatusOr<std::map<std::string, std::string>> ReadLabels(
    const std::string& text) {
  std::map<std::string, std::string> labels;
  if (text == "{}") return labels;
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) return absl::DataLossError("expected a string");
    labels[key] = value.get<std::string>();
  }
  return labels;
}

const std::string& SelectStudies() {
  static const std::string* const kSelect = new std::string(absl::StrCat(
      "SELECT id, job_id, spec_json, ignored_fields, seed, max_trials, labels,"
      " state, wanted, wanted_reason, error_message, code_dir, run_dir,"
      " resumed_study, created_at_us, started_at_us, ended_at_us, waited_us,"
      " ran_us, consecutive_instant_failures, version,"
      " (SELECT max(seq) FROM event WHERE event.study = study.id),"
      " code_version, code_digest, version_changes, version_at_us,"
      " made_up_trials, consecutive_failures, ended_before_resume, ",
      kClientStudyColumns, " FROM study ORDER BY id"));
  return *kSelect;
}

absl::Status ReadJobRun(const SqliteStatement& row, StudySnapshot* study) {
  JobRun& run = study->run.emplace();
  run.spec_json = row.Text(2);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob parsed, ParseJob(run.spec_json, {}));
  study->spec = std::make_shared<const StudySpec>(StudySpecOf(parsed.spec));
  run.spec = std::make_shared<const JobSpec>(std::move(parsed.spec));
  VERNIER_ASSIGN_OR_RETURN(run.ignored_fields, ReadStrings(row.Text(3)));
  run.max_trials = static_cast<int>(row.Int(5));
  run.state = static_cast<JobState>(row.Int(7));
  run.wanted = static_cast<JobWanted>(row.Int(8));
  run.wanted_reason = row.Text(9);
  run.error_message = row.Text(10);
  run.code_dir = row.Text(11);
  run.run_dir = row.Text(12);
  if (!row.IsNull(13)) run.resumed_study = StudyId{row.Int(13)};
  run.started_at = OptionalTime(row, 15);
  run.ended_at = OptionalTime(row, 16);
  run.waited_for = std::chrono::microseconds(row.Int(17));
  run.ran_for = std::chrono::microseconds(row.Int(18));
  run.consecutive_instant_failures = static_cast<int>(row.Int(19));
  run.code_version = static_cast<int>(row.Int(22));
  run.code_digest = row.Text(23);
  run.version_changes = row.Text(24);
  run.version_at =
      row.Int(25) == 0 ? study->created_at : FromMicros(row.Int(25));
  run.made_up_trials = static_cast<int>(row.Int(26));
  run.consecutive_failures = static_cast<int>(row.Int(27));
  VERNIER_ASSIGN_OR_RETURN(run.ended_before_resume,
                           ReadEndCounts(row.Text(28)));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<StudySnapshot>> ReadStudy(
    const SqliteStatement& row) {
  auto study = std::make_shared<StudySnapshot>();
  study->id = StudyId{row.Int(0)};
  study->name = row.Text(1);
  study->seed = std::bit_cast<std::uint64_t>(row.Int(4));
  VERNIER_ASSIGN_OR_RETURN(study->labels, ReadLabels(row.Text(6)));
  study->created_at = FromMicros(row.Int(14));
  study->version = row.Int(20);
  study->last_event = EventSequence{row.Int(21)};
  if (row.IsNull(29)) {
    VERNIER_RETURN_IF_ERROR(ReadJobRun(row, study.get()));
  } else {
    VERNIER_RETURN_IF_ERROR(ReadClientStudy(row, 29, row.Text(2), study.get()));
  }
  return study;
}

absl::Status ReadStudies(SqliteDatabase& database, Studies* studies) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows,
                           database.Prepare(SelectStudies().c_str()));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    absl::StatusOr<std::shared_ptr<StudySnapshot>> study = ReadStudy(rows);
    if (!study.ok()) {
      return Damaged(absl::StrCat("job, study ", rows.Int(0)), study.status());
    }
    const StudyId id = (*study)->id;
    studies->emplace(id, *std::move(study));
  }
}

absl::StatusOr<std::shared_ptr<const JobVersion>> ReadVersion(
    const SqliteStatement& row) {
  auto version = std::make_shared<JobVersion>();
  version->number = static_cast<int>(row.Int(1));
  version->spec_json = row.Text(2);
  VERNIER_ASSIGN_OR_RETURN(ParsedJob parsed, ParseJob(version->spec_json, {}));
  version->spec = std::make_shared<const JobSpec>(std::move(parsed.spec));
  version->code_dir = row.Text(3);
  version->changes = row.Text(4);
  version->created_at = FromMicros(row.Int(5));
  return version;
}

absl::Status ReadVersions(SqliteDatabase& database, const Studies& studies) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT study, number, spec_json, code_dir, changes,"
                       " created_at_us FROM job_version"
                       " ORDER BY study, number"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name =
        absl::StrCat("version ", rows.Int(1), " of study ", rows.Int(0));
    const auto study = studies.find(StudyId{rows.Int(0)});
    if (study == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    auto version = ReadVersion(rows);
    if (!version.ok()) return Damaged(name, version.status());
    study->second->run->earlier_versions.push_back(*std::move(version));
  }
}

constexpr char kSelectAttempts[] =
    "SELECT study, trial, number, nonce, state, kill_wanted, kill_cause,"
    " devices, intended_at_us, running_at_us, ended_at_us, exit_code, signal,"
    " end_cause, message, lasted_us, code_version"
    " FROM attempt ORDER BY study, trial, number";

// Reads the attempts in parallel with the trials: both are sorted.
class AttemptCursor {
 public:
  explicit AttemptCursor(SqliteStatement rows) : rows_(std::move(rows)) {}

  absl::Status Advance() {
    VERNIER_ASSIGN_OR_RETURN(has_row_, rows_.Step());
    return absl::OkStatus();
  }

  // Moves all attempts of the trial into `list`; if there are any, they come
  // next.
  absl::Status Take(std::int64_t study, std::int64_t trial,
                    std::vector<AttemptRecord>* list) {
    while (has_row_ && rows_.Int(0) == study && rows_.Int(1) == trial) {
      AttemptRecord attempt;
      attempt.number = static_cast<int>(rows_.Int(2));
      attempt.nonce = rows_.Text(3);
      attempt.state = static_cast<AttemptState>(rows_.Int(4));
      attempt.kill_wanted = rows_.Int(5) != 0;
      attempt.kill_cause = static_cast<TrialEndCause>(rows_.Int(6));
      VERNIER_ASSIGN_OR_RETURN(attempt.devices, ReadStrings(rows_.Text(7)));
      attempt.intended_at = FromMicros(rows_.Int(8));
      attempt.running_at = OptionalTime(rows_, 9);
      attempt.ended_at = OptionalTime(rows_, 10);
      attempt.exit_code = OptionalInt(rows_, 11);
      attempt.signal = OptionalInt(rows_, 12);
      attempt.end_cause = static_cast<TrialEndCause>(rows_.Int(13));
      attempt.message = rows_.Text(14);
      attempt.lasted = std::chrono::microseconds(rows_.Int(15));
      attempt.code_version = static_cast<int>(rows_.Int(16));
      list->push_back(std::move(attempt));
      VERNIER_RETURN_IF_ERROR(Advance());
    }
    return absl::OkStatus();
  }

 private:
  SqliteStatement rows_;
  bool has_row_ = false;
};

const std::string& SelectTrials() {
  static const std::string* const kSelect = new std::string(absl::StrCat(
      "SELECT study, number, state, parameters, suggester, seen_events,"
      " created_at_us, started_at_us, ended_at_us, end_cause, message,"
      " final_step, final_value_bits, last_attempt, last_step, last_value_bits,"
      " last_reported_at_us, best_step, best_value_bits, finite_count,"
      " not_finite_count, metrics_seen, suggestion, metric_problems, ",
      kClientTrialColumns, " FROM trial ORDER BY study, number"));
  return *kSelect;
}

absl::StatusOr<std::shared_ptr<TrialRecord>> ReadTrial(
    const SqliteStatement& row, MetadataByOwner* metadata,
    AttemptCursor* attempts) {
  auto trial = std::make_shared<TrialRecord>();
  trial->id = TrialId{row.Int(1)};
  trial->state = static_cast<TrialState>(row.Int(2));
  VERNIER_ASSIGN_OR_RETURN(trial->parameters, ParametersFromJson(row.Text(3)));
  trial->origin.suggester = row.Text(4);
  trial->origin.seen_events = EventSequence{row.Int(5)};
  const std::string suggestion = row.Text(22);
  if (!suggestion.empty()) {
    VERNIER_ASSIGN_OR_RETURN(trial->origin.record,
                             SuggestionRecordFromJson(suggestion));
  }
  trial->created_at = FromMicros(row.Int(6));
  trial->started_at = OptionalTime(row, 7);
  trial->ended_at = OptionalTime(row, 8);
  trial->end_cause = static_cast<TrialEndCause>(row.Int(9));
  trial->message = row.Text(10);
  trial->final_measurement = ValueAt(row, 11);
  ObjectiveSummary& objective = trial->objective;
  objective.last_attempt = static_cast<int>(row.Int(13));
  objective.last = ValueAt(row, 14);
  objective.last_reported_at = FromMicros(row.Int(16));
  objective.best = ValueAt(row, 17);
  objective.finite_count = row.Int(19);
  objective.not_finite_count = row.Int(20);
  VERNIER_ASSIGN_OR_RETURN(trial->metrics_seen, ReadStrings(row.Text(21)));
  VERNIER_ASSIGN_OR_RETURN(trial->metric_problems, ReadStrings(row.Text(23)));
  VERNIER_RETURN_IF_ERROR(ReadClientTrial(row, 24, trial.get()));
  const auto own = metadata->find({StudyId{row.Int(0)}, trial->id});
  if (own != metadata->end()) trial->metadata = std::move(own->second);
  VERNIER_RETURN_IF_ERROR(
      attempts->Take(row.Int(0), row.Int(1), &trial->attempts));
  return trial;
}

// Adds a trial to its study, its counts and its leases.
absl::Status AddTrial(std::shared_ptr<const TrialRecord> trial,
                      StudySnapshot* study,
                      std::map<DeviceId, AttemptKey>* leases) {
  if (static_cast<std::size_t>(ToInt(trial->id)) != study->trials.size() + 1) {
    return absl::DataLossError(
        absl::StrCat("trial numbers are not dense: ", ToInt(trial->id),
                     " follows ", study->trials.size()));
  }
  if (IsTerminal(trial->state)) {
    CountEnded(*trial, study);
  } else {
    study->open.push_back(trial->id);
  }
  for (const AttemptRecord& attempt : trial->attempts) {
    if (IsTerminal(attempt.state)) continue;
    ++study->live_attempts;
    for (const DeviceId& device : attempt.devices) {
      leases->emplace(device, AttemptKey{study->id, trial->id, attempt.number});
    }
  }
  study->trials.Put(std::move(trial));
  return absl::OkStatus();
}

absl::Status ReadTrials(SqliteDatabase& database, const Studies& studies,
                        MetadataByOwner* metadata,
                        std::map<DeviceId, AttemptKey>* leases) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement attempt_rows,
                           database.Prepare(kSelectAttempts));
  AttemptCursor attempts(std::move(attempt_rows));
  VERNIER_RETURN_IF_ERROR(attempts.Advance());
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows,
                           database.Prepare(SelectTrials().c_str()));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name =
        absl::StrCat("trial ", rows.Int(0), "/", rows.Int(1));
    const auto study = studies.find(StudyId{rows.Int(0)});
    if (study == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    absl::StatusOr<std::shared_ptr<TrialRecord>> trial =
        ReadTrial(rows, metadata, &attempts);
    if (!trial.ok()) return Damaged(name, trial.status());
    const absl::Status added =
        AddTrial(*std::move(trial), study->second.get(), leases);
    if (!added.ok()) return Damaged(name, added);
  }
}

absl::Status TakeStudyMetadata(const Studies& studies,
                               MetadataByOwner* metadata) {
  for (const auto& [id, study] : studies) {
    const auto own = metadata->find({id, TrialId{}});
    if (own == metadata->end()) continue;
    if (study->run.has_value()) {
      return Damaged(absl::StrCat("study ", ToInt(id)),
                     absl::DataLossError("a job has no metadata"));
    }
    study->metadata = std::make_shared<const Metadata>(std::move(own->second));
  }
  return absl::OkStatus();
}

absl::Status ReadQueuedPoints(SqliteDatabase& database,
                              const Studies& studies) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT study, trial, parameters, queued_at_us"
                       " FROM queued_point ORDER BY study, trial"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name =
        absl::StrCat("queued point ", rows.Int(0), "/", rows.Int(1));
    const auto found = studies.find(StudyId{rows.Int(0)});
    if (found == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    StudySnapshot& study = *found->second;
    auto point = std::make_shared<QueuedPoint>();
    point->trial = TrialId{rows.Int(1)};
    if (static_cast<std::size_t>(rows.Int(1)) !=
        study.trials.size() + study.queued.size() + 1) {
      return Damaged(name, absl::DataLossError("it is not the next trial"));
    }
    auto parameters = ParametersFromJson(rows.Text(2));
    if (!parameters.ok()) return Damaged(name, parameters.status());
    point->parameters = *std::move(parameters);
    point->queued_at = FromMicros(rows.Int(3));
    study.queued.push_back(std::move(point));
  }
}

absl::Status ReadRequests(SqliteDatabase& database,
                          std::map<std::string, RememberedRequest>* requests) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT id, study, job_digest, trial FROM request"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    requests->emplace(
        rows.Text(0),
        RememberedRequest{StudyId{rows.Int(1)},
                          std::bit_cast<std::uint64_t>(rows.Int(2)),
                          TrialId{rows.Int(3)}});
  }
}

}  // namespace

absl::StatusOr<LoadedState> LoadState(SqliteDatabase& database) {
  LoadedState loaded;
  Studies studies;
  VERNIER_RETURN_IF_ERROR(ReadStudies(database, &studies));
  VERNIER_RETURN_IF_ERROR(ReadVersions(database, studies));
  VERNIER_ASSIGN_OR_RETURN(MetadataByOwner metadata, ReadMetadata(database));
  VERNIER_RETURN_IF_ERROR(TakeStudyMetadata(studies, &metadata));
  VERNIER_RETURN_IF_ERROR(
      ReadTrials(database, studies, &metadata, &loaded.leases));
  VERNIER_RETURN_IF_ERROR(ReadQueuedPoints(database, studies));
  VERNIER_RETURN_IF_ERROR(ReadRequests(database, &loaded.requests));
  for (auto& [id, study] : studies) loaded.studies[id] = std::move(study);
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t last_study,
      database.QueryInt("SELECT last_study FROM study_counter"));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t last_event,
                           database.QueryInt("SELECT max(seq) FROM event"));
  loaded.last_study = StudyId{last_study};
  loaded.last_event = EventSequence{last_event};
  return loaded;
}

}  // namespace vernier
