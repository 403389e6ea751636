#include "store/sqlite/sqlite_tables.h"

#include <limits>
#include <utility>

#include "base/status_macros.h"
#include "store/events/event_payload.h"
#include "store/metric_names.h"
#include "store/sqlite/history_reader.h"
#include "store/sqlite/timestamp_column.h"
#include "store/sqlite/value_column.h"

namespace vernier {
namespace {

// There is one prepared statement for each kind of write. A RowChange only
// names a row; its content is read from the state after the change.

std::optional<std::int64_t> Wide(const std::optional<int>& value) {
  return value;
}

std::optional<std::int64_t> StepOf(const std::optional<FinalMeasurement>& m) {
  if (!m.has_value()) return std::nullopt;
  return m->step;
}

std::optional<std::int64_t> BitsOf(const std::optional<FinalMeasurement>& m) {
  if (!m.has_value()) return std::nullopt;
  return vernier::BitsOf(m->value);
}

// The columns of a value that is not finite. All are null if there is none.
struct NotFiniteColumns {
  std::optional<std::int64_t> step;
  std::optional<std::int64_t> bits;
  std::optional<std::int64_t> attempt;
  std::optional<std::int64_t> reported_at;
};

NotFiniteColumns ColumnsOf(
    const std::optional<MetricSummary::NotFinite>& value) {
  if (!value.has_value()) return {};
  return {value->step, vernier::BitsOf(value->value), value->attempt,
          Micros(value->reported_at)};
}

int NumberOf(const std::optional<MetricRoad>& road) {
  return road.has_value() ? static_cast<int>(*road) : 0;
}

constexpr char kAddJob[] =
    "INSERT INTO job (study, spec_json, ignored_fields, max_trials,"
    " made_up_trials, max_parallel_trials, state, wanted, wanted_reason,"
    " error_message, code_dir, code_digest, code_version, version_changes,"
    " version_at_us, run_dir, resumed_study, waited_us, ran_us,"
    " consecutive_failures, consecutive_instant_failures, ended_before_resume,"
    " wanted_cause)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
    " ?, ?)";
constexpr char kChangeJob[] =
    "UPDATE job SET max_trials = ?, made_up_trials = ?, state = ?, wanted = ?,"
    " wanted_reason = ?, error_message = ?, started_at_us = ?, ended_at_us = ?,"
    " waited_us = ?, ran_us = ?, consecutive_failures = ?,"
    " consecutive_instant_failures = ?, ended_before_resume = ?,"
    " wanted_cause = ? WHERE study = ?";
// A trigger of the schema keeps the version that this replaces.
constexpr char kReviseJob[] =
    "UPDATE job SET spec_json = ?, ignored_fields = ?, code_dir = ?,"
    " code_digest = ?, code_version = ?, version_changes = ?,"
    " version_at_us = ?, max_trials = ?, made_up_trials = ?,"
    " max_parallel_trials = ?, consecutive_failures = ?,"
    " consecutive_instant_failures = ?, ended_before_resume = ?"
    " WHERE study = ?";
constexpr char kAddTrial[] =
    "INSERT INTO trial (study, number, state, parameters, suggester,"
    " seen_events, created_at_us, end_cause, message, last_attempt,"
    " last_reported_at_us, finite_count, not_finite_count, metrics_seen,"
    " suggestion, brought_reports)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, 0, '', 0, 0, 0, 0, '[]', ?, ?)";
constexpr char kChangeTrial[] =
    "UPDATE trial SET state = ?, started_at_us = ?, ended_at_us = ?,"
    " end_cause = ?, message = ?, final_step = ?, final_value_bits = ?,"
    " last_attempt = ?, last_step = ?, last_value_bits = ?,"
    " last_reported_at_us = ?, best_step = ?, best_value_bits = ?,"
    " finite_count = ?, not_finite_count = ?, metrics_seen = ?,"
    " metric_problems = ?, objective_road = ?, not_finite_step = ?,"
    " not_finite_value_bits = ?, not_finite_attempt = ?,"
    " not_finite_reported_at_us = ?, client_id = ?, final_report = ? WHERE "
    "study = ? AND number = ?";
constexpr char kChangeObjective[] =
    "UPDATE trial SET last_attempt = ?, last_step = ?, last_value_bits = ?,"
    " last_reported_at_us = ?, best_step = ?, best_value_bits = ?,"
    " finite_count = ?, not_finite_count = ?, metrics_seen = ?,"
    " metric_problems = ?, objective_road = ?, not_finite_step = ?,"
    " not_finite_value_bits = ?, not_finite_attempt = ?,"
    " not_finite_reported_at_us = ?"
    " WHERE study = ? AND number = ?";
constexpr char kAddAttempt[] =
    "INSERT INTO attempt (study, trial, number, nonce, state, kill_wanted,"
    " kill_cause, devices, intended_at_us, end_cause, message, lasted_us,"
    " code_version) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?, 0, '', 0, ?)";
constexpr char kChangeAttempt[] =
    "UPDATE attempt SET state = ?, kill_wanted = ?, kill_cause = ?,"
    " running_at_us = ?, ended_at_us = ?, exit_code = ?, signal = ?,"
    " end_cause = ?, message = ?, lasted_us = ?"
    " WHERE study = ? AND trial = ? AND number = ?";
constexpr char kAddLease[] =
    "INSERT INTO lease (device, study, trial, attempt, leased_at_us)"
    " VALUES (?, ?, ?, ?, ?)";
constexpr char kReleaseLeases[] =
    "UPDATE lease SET released_at_us = ?"
    " WHERE study = ? AND trial = ? AND attempt = ?";
constexpr char kAddMetric[] = "INSERT INTO metric (name) VALUES (?)";
// OR IGNORE would be shorter, but would also hide a violated CHECK.
constexpr char kAddMeasurement[] =
    "INSERT INTO measurement (study, trial, attempt, metric, step,"
    " reported_at_us, kind, value_bits, elapsed_us, road)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (study, trial, attempt, metric, step, reported_at_us)"
    " DO NOTHING";
// Selects a row if the latest measurement of the step has this value.
constexpr char kFindMeasurement[] =
    "SELECT 1 FROM (SELECT kind, value_bits FROM measurement WHERE study = ?"
    " AND trial = ? AND attempt = ? AND metric = ? AND step = ?"
    " ORDER BY reported_at_us DESC LIMIT 1) WHERE kind = ? AND value_bits = ?";
constexpr char kVoidMeasurements[] =
    "UPDATE measurement SET is_void = 1 WHERE study = ? AND trial = ?"
    " AND attempt = ? AND metric = ? AND step >= ? AND reported_at_us < ?"
    " AND road = ? AND is_void = 0";
constexpr char kAddRequest[] =
    "INSERT INTO request (id, study, job_digest, created_at_us, trial)"
    " VALUES (?, ?, ?, ?, ?)";
constexpr char kAddPoint[] =
    "INSERT INTO queued_point (study, trial, parameters, queued_at_us)"
    " VALUES (?, ?, ?, ?)";
constexpr char kProposePoint[] =
    "INSERT INTO proposed_point (study, number, source, parameters,"
    " proposed_at_us) VALUES (?, ?, ?, ?, ?)";
constexpr char kAddEvent[] =
    "INSERT INTO event (seq, study, trial, attempt, kind, payload, at_us)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";

}  // namespace

absl::StatusOr<std::unique_ptr<SqliteTables>> SqliteTables::Prepare(
    SqliteDatabase& database) {
  auto tables = std::unique_ptr<SqliteTables>(new SqliteTables(database));
  VERNIER_RETURN_IF_ERROR(tables->PrepareStatements());
  VERNIER_RETURN_IF_ERROR(tables->LoadMetrics());
  return tables;
}

absl::Status SqliteTables::PrepareStatements() {
  const std::pair<SqliteStatement*, const char*> statements[] = {
      {&add_job_, kAddJob},
      {&change_job_, kChangeJob},
      {&revise_job_, kReviseJob},
      {&add_trial_, kAddTrial},
      {&change_trial_, kChangeTrial},
      {&change_objective_, kChangeObjective},
      {&add_attempt_, kAddAttempt},
      {&change_attempt_, kChangeAttempt},
      {&add_lease_, kAddLease},
      {&release_leases_, kReleaseLeases},
      {&add_metric_, kAddMetric},
      {&add_measurement_, kAddMeasurement},
      {&find_measurement_, kFindMeasurement},
      {&void_measurements_, kVoidMeasurements},
      {&add_request_, kAddRequest},
      {&add_event_, kAddEvent},
      {&add_point_, kAddPoint},
      {&propose_point_, kProposePoint},
  };
  for (const auto& [statement, sql] : statements) {
    VERNIER_ASSIGN_OR_RETURN(*statement, database_.Prepare(sql));
  }
  return study_tables_.Prepare(database_);
}

absl::Status SqliteTables::LoadMetrics() {
  VERNIER_ASSIGN_OR_RETURN(SqliteStatement rows,
                           database_.Prepare("SELECT id, name FROM metric"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    metric_ids_[rows.Text(1)] = rows.Int(0);
  }
}

absl::Status SqliteTables::Write(const Effects& effects,
                                 const WorkingState& state, Timestamp now) {
  for (const RowChange& row : effects.rows) {
    VERNIER_RETURN_IF_ERROR(WriteRow(row, state, now));
  }
  VERNIER_RETURN_IF_ERROR(study_tables_.Write(effects));
  for (const Event& event : effects.events) {
    VERNIER_RETURN_IF_ERROR(WriteEvent(event));
  }
  for (const std::string& id : effects.requests) {
    VERNIER_RETURN_IF_ERROR(WriteRequest(id, *state.FindRequest(id), now));
  }
  return absl::OkStatus();
}

absl::Status SqliteTables::WriteRow(const RowChange& row,
                                    const WorkingState& state, Timestamp now) {
  using Kind = RowChange::Kind;
  const AttemptKey& key = row.key;
  if (row.kind == Kind::kStudyRemoved) {
    return study_tables_.RemoveStudy(key.study);
  }
  // WriteObjective writes the row, once for the whole group.
  if (row.kind == Kind::kObjectiveChanged) return absl::OkStatus();
  const StudySnapshot& study = *state.Find(key.study);
  switch (row.kind) {
    case Kind::kStudyAdded:
      VERNIER_RETURN_IF_ERROR(study_tables_.AddStudy(study));
      return IsJob(study) ? AddJob(JobOf(study)) : absl::OkStatus();
    case Kind::kStudyChanged:
      return study_tables_.ChangeStudy(study);
    case Kind::kSpecChanged:
      return study_tables_.ChangeSpec(study);
    case Kind::kSpecEdited:
      return study_tables_.EditSpec(study, key.number);
    case Kind::kJobChanged:
      VERNIER_RETURN_IF_ERROR(study_tables_.ChangeStudy(study));
      return ChangeJob(JobOf(study));
    case Kind::kJobRevised:
      VERNIER_RETURN_IF_ERROR(study_tables_.ChangeStudy(study));
      return ReviseJob(JobOf(study));
    case Kind::kPointQueued:
      return AddPoint(study, key.trial);
    case Kind::kPointProposed:
      return ProposePoint(study, key.number);
    default:
      return WriteTrialRow(row, study, now);
  }
}

absl::Status SqliteTables::WriteTrialRow(const RowChange& row,
                                         const StudySnapshot& study,
                                         Timestamp now) {
  using Kind = RowChange::Kind;
  const AttemptKey& key = row.key;
  const auto shared = study.trials.Share(key.trial);
  const TrialRecord& trial = *shared;
  if (row.kind == Kind::kTrialAdded || row.kind == Kind::kTrialChanged) {
    const RecordedTrial recorded(study.spec->renamed_from, trial);
    return row.kind == Kind::kTrialAdded ? AddTrial(key.study, *recorded)
                                         : ChangeTrial(key.study, *recorded);
  }
  if (row.kind == Kind::kParametersChanged) {
    return study_tables_.ChangeParameters(key.study, trial);
  }
  if (row.kind == Kind::kTrialDeleted) {
    return study_tables_.DeleteTrial(key.study, trial);
  }

  const AttemptRecord& attempt =
      trial.attempts[static_cast<std::size_t>(key.number) - 1];
  if (row.kind == Kind::kAttemptAdded) return AddAttempt(key, attempt);
  if (row.kind == Kind::kAttemptEnded) {
    VERNIER_RETURN_IF_ERROR(release_leases_.Run(Micros(now), ToInt(key.study),
                                                ToInt(key.trial), key.number));
  }
  return ChangeAttempt(key, attempt);
}

absl::Status SqliteTables::AddJob(JobRef job) {
  const JobRun& run = job.run();
  std::optional<std::int64_t> resumed;
  if (run.resumed_study.has_value()) resumed = ToInt(*run.resumed_study);
  return add_job_.Run(
      ToInt(job->id), run.spec_json, StringsToJson(run.ignored_fields),
      run.max_trials, run.made_up_trials, MaxParallelTrialsOf(run),
      static_cast<int>(run.state), static_cast<int>(run.wanted),
      run.wanted_reason, run.error_message, run.code_dir, run.code_digest,
      run.code_version, run.version_changes, Micros(run.version_at),
      run.run_dir, resumed, run.waited_for.count(), run.ran_for.count(),
      run.consecutive_failures, run.consecutive_instant_failures,
      EndCountsToJson(run.ended_before_resume),
      static_cast<int>(run.wanted_cause));
}

absl::Status SqliteTables::ChangeJob(JobRef job) {
  const JobRun& run = job.run();
  return change_job_.Run(
      run.max_trials, run.made_up_trials, static_cast<int>(run.state),
      static_cast<int>(run.wanted), run.wanted_reason, run.error_message,
      Micros(run.started_at), Micros(run.ended_at), run.waited_for.count(),
      run.ran_for.count(), run.consecutive_failures,
      run.consecutive_instant_failures,
      EndCountsToJson(run.ended_before_resume),
      static_cast<int>(run.wanted_cause), ToInt(job->id));
}

absl::Status SqliteTables::ReviseJob(JobRef job) {
  const JobRun& run = job.run();
  return revise_job_.Run(
      run.spec_json, StringsToJson(run.ignored_fields), run.code_dir,
      run.code_digest, run.code_version, run.version_changes,
      Micros(run.version_at), run.max_trials, run.made_up_trials,
      MaxParallelTrialsOf(run), run.consecutive_failures,
      run.consecutive_instant_failures,
      EndCountsToJson(run.ended_before_resume), ToInt(job->id));
}

absl::Status SqliteTables::AddTrial(StudyId study, const TrialRecord& trial) {
  return add_trial_.Run(
      ToInt(study), ToInt(trial.id), static_cast<int>(trial.state),
      ParametersToJson(trial.parameters), trial.origin.suggester,
      ToInt(trial.origin.seen_events), Micros(trial.created_at),
      trial.origin.record.has_value()
          ? SuggestionRecordToJson(*trial.origin.record)
          : "",
      MetricReportsToJson(trial.brought));
}

// A trigger removes the point from the queue when its trial is inserted.
absl::Status SqliteTables::AddPoint(const StudySnapshot& study, TrialId trial) {
  const QueuedPoint& point = *study.queued[static_cast<std::size_t>(
      ToInt(trial) - ToInt(study.queued.front()->trial))];
  return add_point_.Run(ToInt(study.id), ToInt(point.trial),
                        ParametersToJson(point.parameters),
                        Micros(point.queued_at));
}

absl::Status SqliteTables::ProposePoint(const StudySnapshot& study,
                                        int number) {
  const ProposedPoint& point =
      *study.proposed[static_cast<std::size_t>(number) - 1];
  return propose_point_.Run(ToInt(study.id), number, point.source,
                            ParametersToJson(point.parameters),
                            Micros(point.proposed_at));
}

absl::Status SqliteTables::ChangeTrial(StudyId study,
                                       const TrialRecord& trial) {
  const MetricSummary& objective = trial.objective;
  const NotFiniteColumns not_finite = ColumnsOf(objective.not_finite_last);
  return change_trial_.Run(
      static_cast<int>(trial.state), Micros(trial.started_at),
      Micros(trial.ended_at), static_cast<int>(trial.end_cause), trial.message,
      StepOf(trial.final_measurement), BitsOf(trial.final_measurement),
      objective.last_attempt, StepOf(objective.last), BitsOf(objective.last),
      Micros(objective.last_reported_at), StepOf(objective.best),
      BitsOf(objective.best), objective.finite_count,
      objective.not_finite_count, SeenMetricsToJson(trial.metrics_seen),
      StringsToJson(trial.metric_problems), NumberOf(objective.road),
      not_finite.step, not_finite.bits, not_finite.attempt,
      not_finite.reported_at, trial.client_id,
      trial.final_report.has_value() ? MetricReportToJson(*trial.final_report)
                                     : "",
      ToInt(study), ToInt(trial.id));
}

absl::Status SqliteTables::WriteObjective(const StudySnapshot& study,
                                          const TrialRecord& present) {
  return WriteObjective(study.id,
                        *RecordedTrial(study.spec->renamed_from, present));
}

absl::Status SqliteTables::WriteObjective(StudyId study,
                                          const TrialRecord& trial) {
  const MetricSummary& objective = trial.objective;
  const NotFiniteColumns not_finite = ColumnsOf(objective.not_finite_last);
  return change_objective_.Run(
      objective.last_attempt, StepOf(objective.last), BitsOf(objective.last),
      Micros(objective.last_reported_at), StepOf(objective.best),
      BitsOf(objective.best), objective.finite_count,
      objective.not_finite_count, SeenMetricsToJson(trial.metrics_seen),
      StringsToJson(trial.metric_problems), NumberOf(objective.road),
      not_finite.step, not_finite.bits, not_finite.attempt,
      not_finite.reported_at, ToInt(study), ToInt(trial.id));
}

absl::Status SqliteTables::AddAttempt(const AttemptKey& key,
                                      const AttemptRecord& attempt) {
  VERNIER_RETURN_IF_ERROR(add_attempt_.Run(
      ToInt(key.study), ToInt(key.trial), key.number, attempt.nonce,
      static_cast<int>(attempt.state), StringsToJson(attempt.devices),
      Micros(attempt.intended_at), attempt.code_version));
  for (const DeviceId& device : attempt.devices) {
    VERNIER_RETURN_IF_ERROR(add_lease_.Run(device, ToInt(key.study),
                                           ToInt(key.trial), key.number,
                                           Micros(attempt.intended_at)));
  }
  return absl::OkStatus();
}

absl::Status SqliteTables::ChangeAttempt(const AttemptKey& key,
                                         const AttemptRecord& attempt) {
  return change_attempt_.Run(
      static_cast<int>(attempt.state), attempt.kill_wanted ? 1 : 0,
      static_cast<int>(attempt.kill_cause), Micros(attempt.running_at),
      Micros(attempt.ended_at), Wide(attempt.exit_code), Wide(attempt.signal),
      static_cast<int>(attempt.end_cause), attempt.message,
      attempt.lasted.count(), ToInt(key.study), ToInt(key.trial), key.number);
}

absl::Status SqliteTables::WriteRequest(const std::string& request_id,
                                        const RememberedRequest& request,
                                        Timestamp now) {
  std::optional<std::int64_t> trial;
  if (request.trial != TrialId{}) trial = ToInt(request.trial);
  return add_request_.Run(request_id, ToInt(request.study),
                          std::bit_cast<std::int64_t>(request.digest),
                          Micros(now), trial);
}

absl::Status SqliteTables::WriteEvent(const Event& event) {
  std::optional<std::int64_t> trial;
  if (event.trial.has_value()) trial = ToInt(*event.trial);
  return add_event_.Run(ToInt(event.sequence), ToInt(event.study), trial,
                        event.attempt, event.kind, event.payload,
                        Micros(event.at));
}

absl::StatusOr<bool> SqliteTables::Insert(const AttemptKey& attempt,
                                          const Measurement& measurement) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t metric,
                           MetricId(measurement.metric));
  VERNIER_RETURN_IF_ERROR(add_measurement_.Run(
      ToInt(attempt.study), ToInt(attempt.trial), attempt.number, metric,
      measurement.step, Micros(measurement.reported_at),
      KindOf(measurement.value), vernier::BitsOf(measurement.value),
      measurement.elapsed.count(), static_cast<int>(measurement.road)));
  return database_.changes() == 1;
}

absl::StatusOr<bool> SqliteTables::Holds(const AttemptKey& attempt,
                                         const Measurement& measurement) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t metric,
                           MetricId(measurement.metric));
  return find_measurement_.Finds(ToInt(attempt.study), ToInt(attempt.trial),
                                 attempt.number, metric, measurement.step,
                                 KindOf(measurement.value),
                                 vernier::BitsOf(measurement.value));
}

absl::StatusOr<bool> SqliteTables::Void(const AttemptKey& attempt,
                                        const CurveRestart& restart) {
  const auto metric = metric_ids_.find(restart.metric);
  if (metric == metric_ids_.end()) return false;
  VERNIER_RETURN_IF_ERROR(void_measurements_.Run(
      ToInt(attempt.study), ToInt(attempt.trial), attempt.number,
      metric->second, restart.from_step, Micros(restart.at),
      static_cast<int>(restart.road)));
  return database_.changes() > 0;
}

absl::StatusOr<std::vector<Measurement>> SqliteTables::List(
    StudyId study, TrialId trial, const std::string& metric) const {
  return ReadMeasurements(database_, study, trial, metric, FormerNames(),
                          std::numeric_limits<std::size_t>::max());
}

absl::StatusOr<std::int64_t> SqliteTables::MetricId(const std::string& name) {
  const auto found = metric_ids_.find(name);
  if (found != metric_ids_.end()) return found->second;
  VERNIER_RETURN_IF_ERROR(add_metric_.Run(name));
  const std::int64_t id = database_.last_insert_rowid();
  metric_ids_[name] = id;
  // If the item is rolled back, the row is gone, and the id must be forgotten.
  new_metrics_.push_back(name);
  return id;
}

void SqliteTables::UndoItem() { ForgetMetricsFrom(item_mark_); }

void SqliteTables::UndoGroup() { ForgetMetricsFrom(0); }

void SqliteTables::ForgetMetricsFrom(std::size_t mark) {
  while (new_metrics_.size() > mark) {
    metric_ids_.erase(new_metrics_.back());
    new_metrics_.pop_back();
  }
}

}  // namespace vernier
