#ifndef VERNIER_STORE_SQLITE_SQLITE_STORE_H_
#define VERNIER_STORE_SQLITE_SQLITE_STORE_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "store/pages/write_ahead_log.h"
#include "store/sqlite/sqlite_store_options.h"
#include "store/store.h"

namespace vernier {

class StoreWriter;
struct WriteItem;

/// The Store on disk: one SQLite file, one connection, one thread that owns it.
/// Writes of all waiting callers are committed together, with one sync; answers
/// are sent after that sync. Thread-safe. docs/store.md describes the file.
class SqliteStore final : public Store {
 public:
  /// Opens or makes the database file `path`, in a folder that exists. Holds
  /// `store.lock` in that folder until destruction.
  ///
  /// Errors, which ExitCodeFor maps to the process's exit code: ABORTED:
  /// another process uses it; PERMISSION_DENIED: it belongs to another user;
  /// FAILED_PRECONDITION: its schema is newer, and nothing was written; any
  /// other code: it cannot be read or written, or is damaged.
  static absl::StatusOr<std::unique_ptr<SqliteStore>> Open(
      const std::string& path, const SqliteStoreOptions& options = {});

  /// A note about the end of the log when it was opened; nullopt: it was
  /// complete.
  const std::optional<LogNote>& log_note() const { return log_note_; }

  /// Finishes the writes that were begun. No caller may be inside a method.
  ~SqliteStore() override;

  absl::StatusOr<StudyId> CreateJob(const NewJob& job, Timestamp now) override;
  absl::StatusOr<StudyId> CreateStudy(const NewStudy& study,
                                      Timestamp now) override;
  absl::Status Commit(const std::vector<Change>& changes,
                      Timestamp now) override;
  std::shared_ptr<const StoreSnapshot> Snapshot() const override;
  absl::StatusOr<std::vector<Measurement>> ListMeasurements(
      StudyId study, TrialId trial, const std::string& metric,
      std::size_t limit) const override;
  absl::StatusOr<std::vector<Measurement>> ListMeasurementsAfter(
      const AttemptKey& attempt, const std::string& metric, std::int64_t step,
      std::size_t limit) const override;
  absl::StatusOr<std::vector<TrialMeasurement>> ListStudyMeasurements(
      StudyId study, TrialId first, TrialId last,
      std::size_t limit) const override;
  absl::StatusOr<std::vector<TrialMeasurement>> CommitAndList(
      const std::vector<Change>& changes, Timestamp now, StudyId study,
      TrialId trial, std::size_t limit) override;
  absl::StatusOr<OperationRecord> FindOperation(
      StudyId study, std::int64_t number) const override;
  absl::StatusOr<RememberedRequest> FindRequest(
      const std::string& request_id) const override;
  absl::StatusOr<std::vector<Event>> ListEvents(
      EventSequence after, std::optional<StudyId> study,
      std::size_t limit) const override;
  EventSequence LastEvent() const override;
  absl::Status Health() const override;

 private:
  struct Request;
  using Queue = std::deque<std::shared_ptr<Request>>;

  explicit SqliteStore(std::unique_ptr<StoreWriter> writer);

  void Write(WriteItem& item) const;
  void Read(std::function<void(StoreWriter&)> read) const;
  void Enqueue(std::shared_ptr<Request> request) const;

  // The writer thread.
  void RunWriter();
  Queue TakeRequests();
  void RunReads(const Queue& requests, bool have_written);
  void RunWrites(const Queue& requests);
  void Publish(const StoreSnapshot& changed);

  // Owned by the writer thread once that runs.
  const std::unique_ptr<StoreWriter> writer_;
  const std::optional<LogNote> log_note_;

  // Waiting requests. There is at most one per calling thread, since a caller
  // waits for its answer, so the queue needs no other limit. The mutex is a
  // std::mutex because the condition variable needs one.
  mutable std::mutex queue_mu_;
  mutable std::condition_variable queue_changed_;
  mutable Queue queue_;          // Guarded by queue_mu_.
  bool stopping_ = false;        // Guarded by queue_mu_.
  bool may_checkpoint_ = false;  // The writer thread's own.

  // The state that readers see: everything that is committed.
  mutable Mutex published_mu_;
  StoreSnapshot studies_ VERNIER_GUARDED_BY(published_mu_);
  // Copy of studies_ that readers share; null when it is out of date.
  mutable std::shared_ptr<const StoreSnapshot> snapshot_
      VERNIER_GUARDED_BY(published_mu_);
  EventSequence last_event_ VERNIER_GUARDED_BY(published_mu_){};
  absl::Status health_ VERNIER_GUARDED_BY(published_mu_);

  std::thread thread_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_SQLITE_SQLITE_STORE_H_
