#ifndef VERNIER_STORE_SQLITE_SQLITE_TABLES_H_
#define VERNIER_STORE_SQLITE_SQLITE_TABLES_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/model/study_model.h"
#include "store/model/working_state.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/study_tables.h"
#include "store/study_kinds.h"

namespace vernier {

/// Writes rows and events into the tables of the schema, inside a transaction
/// that the caller has open. Not thread-safe.
class SqliteTables final : public MeasurementTable {
 public:
  /// Borrows `database`, which must have the newest schema and outlive this.
  static absl::StatusOr<std::unique_ptr<SqliteTables>> Prepare(
      SqliteDatabase& database);

  /// Writes the effects of one change; `state` is the state after it. Rows with
  /// kObjectiveChanged are left to WriteObjective.
  absl::Status Write(const Effects& effects, const WorkingState& state,
                     Timestamp now);
  /// Writes the summary of a trial that is not terminal.
  absl::Status WriteObjective(const StudySnapshot& study,
                              const TrialRecord& present);
  absl::StatusOr<bool> Holds(const AttemptKey& attempt,
                             const Measurement& measurement) override;
  absl::StatusOr<bool> Insert(const AttemptKey& attempt,
                              const Measurement& measurement) override;
  absl::StatusOr<bool> Void(const AttemptKey& attempt,
                            const CurveRestart& restart) override;
  absl::StatusOr<std::vector<Measurement>> List(
      StudyId study, TrialId trial, const std::string& metric) const override;

  /// These follow the savepoints of the caller's transaction.
  void BeginItem() { item_mark_ = new_metrics_.size(); }
  void UndoItem();
  void UndoGroup();
  void CommitGroup() { new_metrics_.clear(); }

 private:
  explicit SqliteTables(SqliteDatabase& database) : database_(database) {}

  absl::Status PrepareStatements();
  absl::Status LoadMetrics();
  absl::StatusOr<std::int64_t> MetricId(const std::string& name);
  absl::Status WriteRow(const RowChange& row, const WorkingState& state,
                        Timestamp now);
  absl::Status WriteEvent(const Event& event);
  absl::Status WriteRequest(const std::string& request_id,
                            const RememberedRequest& request, Timestamp now);
  absl::Status AddPoint(const StudySnapshot& study, TrialId trial);
  absl::Status ProposePoint(const StudySnapshot& study, int number);
  absl::Status WriteTrialRow(const RowChange& row, const StudySnapshot& study,
                             Timestamp now);
  absl::Status WriteObjective(StudyId study, const TrialRecord& trial);
  absl::Status AddJob(JobRef job);
  absl::Status ChangeJob(JobRef job);
  absl::Status ReviseJob(JobRef job);
  absl::Status AddTrial(StudyId study, const TrialRecord& trial);
  absl::Status ChangeTrial(StudyId study, const TrialRecord& trial);
  absl::Status AddAttempt(const AttemptKey& key, const AttemptRecord& attempt);
  absl::Status ChangeAttempt(const AttemptKey& key,
                             const AttemptRecord& attempt);
  void ForgetMetricsFrom(std::size_t mark);

  SqliteDatabase& database_;
  SqliteStatement add_job_, change_job_, revise_job_, add_trial_, change_trial_,
      change_objective_, add_attempt_, change_attempt_, add_lease_,
      release_leases_, add_metric_, add_measurement_, find_measurement_,
      void_measurements_, add_request_, add_event_, add_point_, propose_point_;
  StudyTables study_tables_;
  std::unordered_map<std::string, std::int64_t> metric_ids_;
  std::vector<std::string> new_metrics_;  // Not yet committed.
  std::size_t item_mark_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SQLITE_TABLES_H_
