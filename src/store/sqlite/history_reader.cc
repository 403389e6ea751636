#include "store/sqlite/history_reader.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/study_event_payload.h"
#include "store/metric_names.h"
#include "store/sqlite/timestamp_column.h"
#include "store/sqlite/value_column.h"

namespace vernier {
namespace {

std::int64_t Clamp(std::size_t limit) {
  constexpr auto kMost =
      static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(limit, kMost));
}

// Reads name, step, time, bits, elapsed time and attempt from column `first`
// on.
Measurement MeasurementAt(const SqliteStatement& row, int first) {
  return {row.Text(first),
          row.Int(first + 1),
          FromMicros(row.Int(first + 2)),
          FromBits(row.Int(first + 3)),
          std::chrono::microseconds(row.Int(first + 4)),
          static_cast<int>(row.Int(first + 5)),
          static_cast<MetricRoad>(row.Int(first + 6))};
}

absl::StatusOr<std::vector<Measurement>> AllMeasurements(
    SqliteStatement& rows) {
  std::vector<Measurement> list;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return list;
    list.push_back(MeasurementAt(rows, 0));
  }
}

}  // namespace

absl::StatusOr<std::vector<Measurement>> ReadMeasurements(
    SqliteDatabase& database, StudyId study, TrialId trial,
    const std::string& metric, const FormerNames& names, std::size_t limit) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT metric.name, step, reported_at_us, value_bits,"
                       " elapsed_us, attempt, road"
                       " FROM measurement JOIN metric"
                       " ON metric.id = measurement.metric"
                       " WHERE study = ?1 AND trial = ?2"
                       " AND (?3 = '' OR metric.name = ?3)"
                       " AND is_void = 0"
                       " ORDER BY attempt, metric.name, step, reported_at_us"
                       " LIMIT ?4"));
  VERNIER_RETURN_IF_ERROR(rows.Start(
      ToInt(study), ToInt(trial), RecordedName(names, metric), Clamp(limit)));
  VERNIER_ASSIGN_OR_RETURN(std::vector<Measurement> list,
                           AllMeasurements(rows));
  TakePresentNames(names, &list);
  return list;
}

absl::StatusOr<std::vector<Measurement>> ReadMeasurementsAfter(
    SqliteDatabase& database, const AttemptKey& attempt,
    const std::string& metric, const FormerNames& names, std::int64_t step,
    std::size_t limit) {
  // By the primary key: (study, trial, attempt, metric, step, reported_at_us).
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT ?4, step, reported_at_us, value_bits,"
                       " elapsed_us, attempt, road FROM measurement"
                       " WHERE study = ?1 AND trial = ?2 AND attempt = ?3"
                       " AND metric = (SELECT id FROM metric WHERE name = ?4)"
                       " AND step > ?5 AND is_void = 0"
                       " ORDER BY step, reported_at_us LIMIT ?6"));
  VERNIER_RETURN_IF_ERROR(
      rows.Start(ToInt(attempt.study), ToInt(attempt.trial), attempt.number,
                 RecordedName(names, metric), step, Clamp(limit)));
  VERNIER_ASSIGN_OR_RETURN(std::vector<Measurement> list,
                           AllMeasurements(rows));
  TakePresentNames(names, &list);
  return list;
}

absl::StatusOr<std::vector<TrialMeasurement>> ReadStudyMeasurements(
    SqliteDatabase& database, StudyId study, TrialId first, TrialId last,
    const FormerNames& names, std::size_t limit) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT trial, metric.name, step, reported_at_us,"
                       " value_bits, elapsed_us, attempt, road"
                       " FROM measurement JOIN metric"
                       " ON metric.id = measurement.metric"
                       " WHERE study = ?1 AND trial BETWEEN ?2 AND ?3"
                       " AND is_void = 0"
                       " ORDER BY trial, attempt, metric.name, step,"
                       " reported_at_us LIMIT ?4"));
  VERNIER_RETURN_IF_ERROR(
      rows.Start(ToInt(study), ToInt(first), ToInt(last), Clamp(limit)));
  std::vector<TrialMeasurement> list;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) break;
    list.push_back({TrialId{rows.Int(0)}, MeasurementAt(rows, 1)});
  }
  TakePresentNames(names, &list);
  return list;
}

absl::StatusOr<std::vector<Event>> ReadEvents(SqliteDatabase& database,
                                              EventSequence after,
                                              std::optional<StudyId> study,
                                              std::size_t limit) {
  // There are two statements, because one with OR would not use the index on
  // (study, seq).
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare(
          study.has_value()
              ? "SELECT seq, study, trial, attempt, kind, payload, at_us"
                " FROM event WHERE seq > ?1 AND study = ?3"
                " ORDER BY seq LIMIT ?2"
              : "SELECT seq, study, trial, attempt, kind, payload, at_us"
                " FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2"));
  absl::Status started =
      study.has_value() ? rows.Start(ToInt(after), Clamp(limit), ToInt(*study))
                        : rows.Start(ToInt(after), Clamp(limit));
  VERNIER_RETURN_IF_ERROR(started);
  std::vector<Event> list;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return list;
    Event event;
    event.sequence = EventSequence{rows.Int(0)};
    event.study = StudyId{rows.Int(1)};
    if (!rows.IsNull(2)) event.trial = TrialId{rows.Int(2)};
    event.attempt = static_cast<int>(rows.Int(3));
    event.kind = rows.Text(4);
    event.payload = rows.Text(5);
    event.at = FromMicros(rows.Int(6));
    list.push_back(std::move(event));
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
