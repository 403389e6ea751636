#include "store/sqlite/trial_reader.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/study_event_payload.h"
#include "store/metric_names.h"
#include "store/sqlite/column_text.h"
#include "store/sqlite/timestamp_column.h"
#include "store/sqlite/value_column.h"

namespace vernier {
namespace {

// Trials and attempts are read by one statement each, both sorted by study and
// number, and joined here while reading. A query for each trial would be slow,
// since a start of the service may read a million of them.

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

constexpr char kSelectAttempts[] =
    "SELECT study, trial, number, nonce, state, kill_wanted, kill_cause,"
    " devices, intended_at_us, running_at_us, ended_at_us, exit_code, signal,"
    " end_cause, message, lasted_us, code_version"
    " FROM attempt ORDER BY study, trial, number";

// Reads the attempts in step with the trials, which are sorted in the same way.
class AttemptCursor {
 public:
  explicit AttemptCursor(SqliteStatement rows) : rows_(std::move(rows)) {}

  absl::Status Advance() {
    VERNIER_ASSIGN_OR_RETURN(has_row_, rows_.Step());
    return absl::OkStatus();
  }

  // Moves all attempts of the trial into `list`; they come next, if any.
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

constexpr char kSelectTrials[] =
    "SELECT study, number, state, parameters, suggester, seen_events,"
    " created_at_us, started_at_us, ended_at_us, end_cause, message,"
    " final_step, final_value_bits, last_attempt, last_step, last_value_bits,"
    " last_reported_at_us, best_step, best_value_bits, finite_count,"
    " not_finite_count, metrics_seen, suggestion, metric_problems, client_id,"
    " final_report, deleted_at_us, brought_reports, objective_road,"
    " not_finite_step, not_finite_value_bits, not_finite_attempt,"
    " not_finite_reported_at_us"
    " FROM trial ORDER BY study, number";

// Reads the columns that are empty for most trials of jobs.
absl::Status ReadClientsPart(const SqliteStatement& row, TrialRecord* trial) {
  trial->client_id = row.Text(24);
  const std::string report = row.Text(25);
  if (!report.empty()) {
    VERNIER_ASSIGN_OR_RETURN(trial->final_report, MetricReportFromJson(report));
  }
  trial->deleted_at = OptionalTime(row, 26);
  const std::string brought = row.Text(27);
  if (brought != "[]") {
    VERNIER_ASSIGN_OR_RETURN(trial->brought, MetricReportsFromJson(brought));
  }
  return absl::OkStatus();
}

// Reads a column of lists that is most often the same in all trials: a text
// equal to the one before is not parsed again.
class SeenMetricsColumn {
 public:
  absl::StatusOr<std::vector<SeenMetric>> Read(std::string_view text,
                                               MetricRoad road) {
    if (text != text_ || road != road_) {
      VERNIER_ASSIGN_OR_RETURN(metrics_,
                               ReadSeenMetrics(std::string(text), road));
      text_ = text;
      road_ = road;
    }
    return metrics_;
  }

 private:
  std::string text_ = "[]";
  MetricRoad road_ = MetricRoad::kHypertuneFile;
  std::vector<SeenMetric> metrics_;
};

absl::StatusOr<TrialRecord> ReadTrial(const SqliteStatement& row,
                                      MetadataByOwner* metadata,
                                      AttemptCursor* attempts,
                                      SeenMetricsColumn* seen) {
  TrialRecord record;
  TrialRecord* const trial = &record;
  trial->id = TrialId{row.Int(1)};
  trial->state = static_cast<TrialState>(row.Int(2));
  VERNIER_ASSIGN_OR_RETURN(trial->parameters, ParametersFromJson(row.View(3)));
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
  MetricSummary& objective = trial->objective;
  const std::int64_t road = row.Int(28);
  if (IsMetricRoad(road)) objective.road = static_cast<MetricRoad>(road);
  objective.last_attempt = static_cast<int>(row.Int(13));
  objective.last = ValueAt(row, 14);
  objective.last_reported_at = FromMicros(row.Int(16));
  objective.best = ValueAt(row, 17);
  objective.finite_count = row.Int(19);
  objective.not_finite_count = row.Int(20);
  if (const auto value = ValueAt(row, 29)) {
    objective.not_finite_last = {value->step, value->value,
                                 static_cast<int>(row.Int(31)),
                                 FromMicros(row.Int(32))};
  }
  VERNIER_ASSIGN_OR_RETURN(
      trial->metrics_seen,
      seen->Read(row.View(21),
                 objective.road.value_or(MetricRoad::kHypertuneFile)));
  VERNIER_ASSIGN_OR_RETURN(trial->metric_problems, ReadStrings(row.Text(23)));
  VERNIER_RETURN_IF_ERROR(ReadClientsPart(row, trial));
  const auto own = metadata->find({StudyId{row.Int(0)}, trial->id});
  if (own != metadata->end()) trial->metadata = std::move(own->second);
  VERNIER_RETURN_IF_ERROR(
      attempts->Take(row.Int(0), row.Int(1), &trial->attempts));
  return record;
}

// Adds a trial to its study's list, counts it, and adds the leases of its live
// attempts.
absl::Status AddTrial(TrialRecord trial, StudySnapshot* study,
                      TrialList::Builder* trials,
                      std::map<DeviceId, AttemptKey>* leases) {
  if (static_cast<std::size_t>(ToInt(trial.id)) != trials->size() + 1) {
    return absl::DataLossError(
        absl::StrCat("trial numbers are not dense: ", ToInt(trial.id),
                     " follows ", trials->size()));
  }
  if (IsTerminal(trial.state)) {
    CountEnded(BriefOf(trial), study);
  } else {
    study->open.push_back(trial.id);
  }
  for (const AttemptRecord& attempt : trial.attempts) {
    if (IsTerminal(attempt.state)) continue;
    ++study->live_attempts;
    for (const DeviceId& device : attempt.devices) {
      leases->emplace(device, AttemptKey{study->id, trial.id, attempt.number});
    }
  }
  trials->Add(std::move(trial));
  return absl::OkStatus();
}

std::string NameOfRow(const SqliteStatement& row) {
  return absl::StrCat("trial ", row.Int(0), "/", row.Int(1));
}

}  // namespace

absl::Status ReadTrials(SqliteDatabase& database, const Studies& studies,
                        MetadataByOwner* metadata,
                        std::map<DeviceId, AttemptKey>* leases) {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement attempt_rows,
                           database.Prepare(kSelectAttempts));
  AttemptCursor attempts(std::move(attempt_rows));
  VERNIER_RETURN_IF_ERROR(attempts.Advance());
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows,
                           database.Prepare(kSelectTrials));
  SeenMetricsColumn seen;
  // The rows of one study come together.
  StudySnapshot* study = nullptr;
  TrialList::Builder trials;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) break;
    const StudyId id{rows.Int(0)};
    if (study == nullptr || study->id != id) {
      if (study != nullptr) study->trials = trials.Finish();
      trials = {};
      const auto found = studies.find(id);
      if (found == studies.end()) {
        return Damaged(NameOfRow(rows),
                       absl::DataLossError("its study is missing"));
      }
      study = found->second.get();
    }
    absl::StatusOr<TrialRecord> trial =
        ReadTrial(rows, metadata, &attempts, &seen);
    if (!trial.ok()) return Damaged(NameOfRow(rows), trial.status());
    TakePresentNames(study->spec->renamed_from, &*trial);
    const absl::Status added =
        AddTrial(*std::move(trial), study, &trials, leases);
    if (!added.ok()) return Damaged(NameOfRow(rows), added);
  }
  if (study != nullptr) study->trials = trials.Finish();
  return absl::OkStatus();
}

}  // namespace vernier
