#ifndef VERNIER_STORE_SQLITE_STORE_WRITER_H_
#define VERNIER_STORE_SQLITE_STORE_WRITER_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/model/working_state.h"
#include "store/pages/store_location.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/sqlite_store_options.h"
#include "store/sqlite/sqlite_tables.h"
#include "store/store.h"

namespace vernier {

/// One caller's transaction and, after its group, its answer. Borrows the
/// changes from the caller, who waits.
struct WriteItem {
  std::variant<const NewJob*, const NewStudy*, const std::vector<Change>*> work;
  Timestamp now;
  absl::Status status;
  StudyId study{};  ///< The answer to a NewJob or a NewStudy.
};

/// The database, its lock and its state in memory; commits groups of
/// transactions with one sync each.
///
/// Not thread-safe: SqliteStore's writer thread owns it.
class StoreWriter {
 public:
  /// Locks, opens, migrates and reads the database. Errors: SqliteStore::Open.
  static absl::StatusOr<std::unique_ptr<StoreWriter>> Open(
      const std::string& path, const SqliteStoreOptions& options);

  /// Runs all items in one transaction and syncs it; a refused item undoes only
  /// its own changes. Sets each item's answer. Returns the studies that changed
  /// (null: removed).
  StoreSnapshot RunGroup(const std::vector<WriteItem*>& items);

  absl::StatusOr<std::vector<Measurement>> ListMeasurements(
      StudyId study, TrialId trial, const std::string& metric,
      std::size_t limit);
  absl::StatusOr<std::vector<Measurement>> ListMeasurementsAfter(
      const AttemptKey& attempt, const std::string& metric, std::int64_t step,
      std::size_t limit);
  absl::StatusOr<std::vector<TrialMeasurement>> ListStudyMeasurements(
      StudyId study, TrialId first, TrialId last, std::size_t limit);
  absl::StatusOr<OperationRecord> FindOperation(StudyId study,
                                                std::int64_t number);
  absl::StatusOr<RememberedRequest> FindRequest(const std::string& request_id);
  absl::StatusOr<std::vector<Event>> ListEvents(EventSequence after,
                                                std::optional<StudyId> study,
                                                std::size_t limit);

  const StoreSnapshot& committed() const { return state_.committed(); }
  EventSequence last_event() const { return state_.last_event(); }
  /// Store::Health.
  const absl::Status& health() const { return health_; }
  /// Returns a note about the log when it was opened; nullopt: none.
  const std::optional<LogNote>& log_note() const { return log_note_; }

  /// Empties the write-ahead log if it has grown to `pages`. To be called after
  /// the callers were answered, so that they do not wait for it.
  void CheckpointFrom(int pages);

 private:
  StoreWriter(StoreLock lock, std::unique_ptr<SqliteDatabase> database,
              LoadedState loaded);

  absl::Status CheckHasTrial(StudyId study, TrialId trial) const;
  // The study must exist.
  const FormerNames& FormerNamesOf(StudyId study) const;
  absl::Status RunItem(WriteItem& item);
  absl::Status ApplyChanges(const std::vector<Change>& changes,
                            ChangeContext& context);
  absl::Status ApplyWork(WriteItem& item);
  absl::Status WriteObjectives();
  /// Answers all items with the error that follows from `why`, and undoes
  /// everything.
  void FailGroup(const std::vector<WriteItem*>& items, const absl::Status& why);
  /// Keeps the first final failure. Returns the error for callers.
  absl::Status Judge(const absl::Status& failure);

  StoreLock lock_;  // Released last.
  std::unique_ptr<SqliteDatabase> database_;
  std::unique_ptr<SqliteTables> tables_;
  SqliteStatement begin_, savepoint_, release_, rollback_to_, commit_;
  WorkingState state_;
  // Trials whose summary changed in this group; written once, at its end.
  std::set<std::pair<StudyId, TrialId>> changed_objectives_;
  absl::Status health_;
  std::optional<LogNote> log_note_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_STORE_WRITER_H_
