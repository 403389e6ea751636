#ifndef VERNIER_TESTS_FAKES_MEMORY_STORE_H_
#define VERNIER_TESTS_FAKES_MEMORY_STORE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/mutex.h"
#include "store/model/study_model.h"
#include "store/model/working_state.h"
#include "store/store.h"

namespace vernier {

/// A Store that forgets everything when it dies. It has the same rules as
/// SqliteStore, but no disk. Thread-safe.
class MemoryStore final : public Store {
 public:
  MemoryStore();

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
  absl::StatusOr<OperationRecord> FindOperation(
      StudyId study, std::int64_t number) const override;
  absl::StatusOr<RememberedRequest> FindRequest(
      const std::string& request_id) const override;
  absl::StatusOr<std::vector<Event>> ListEvents(
      EventSequence after, std::optional<StudyId> study,
      std::size_t limit) const override;
  EventSequence LastEvent() const override;
  absl::Status Health() const override;

  /// The next write fails with `error` and changes nothing.
  void FailNextWrite(absl::Status error);
  /// Calls `then`, as another caller's action, right after the next Commit that
  /// succeeds and before it returns.
  void AfterNextCommit(std::function<void()> then);
  /// From now on the "database" has failed: every write is UNAVAILABLE.
  void Break(const std::string& why);

 private:
  // Measurements by (study, trial, attempt, metric, step, time).
  class Measurements final : public MeasurementTable {
   public:
    using Key =
        std::tuple<StudyId, TrialId, int, std::string, std::int64_t, Timestamp>;
    absl::StatusOr<bool> Holds(const AttemptKey& attempt,
                               const Measurement& measurement) override;
    absl::StatusOr<bool> Insert(const AttemptKey& attempt,
                                const Measurement& measurement) override;
    absl::StatusOr<bool> Void(const AttemptKey& attempt,
                              const CurveRestart& restart) override;
    absl::StatusOr<std::vector<Measurement>> List(
        StudyId study, TrialId trial, const std::string& metric) const override;
    void UndoItem();

    struct Row {
      double value = 0;
      std::chrono::microseconds elapsed{0};
      MetricRoad road = MetricRoad::kReport;
      bool is_void = false;
    };
    std::map<Key, Row> rows;
    std::vector<Key> new_in_item;
    std::vector<Key> void_in_item;
  };

  /// Creates a job or a study by its rule.
  template <typename New, typename Rule>
  absl::StatusOr<StudyId> Create(const New& added, Timestamp now, Rule rule);
  absl::Status StartWrite() VERNIER_REQUIRES(mu_);
  void Keep(Effects effects) VERNIER_REQUIRES(mu_);

  mutable Mutex mu_;
  WorkingState state_ VERNIER_GUARDED_BY(mu_);
  Measurements measurements_ VERNIER_GUARDED_BY(mu_);
  std::vector<Event> events_ VERNIER_GUARDED_BY(mu_);
  std::map<std::pair<StudyId, std::int64_t>, OperationRecord> operations_
      VERNIER_GUARDED_BY(mu_);
  std::shared_ptr<const StoreSnapshot> snapshot_ VERNIER_GUARDED_BY(mu_);
  absl::Status health_ VERNIER_GUARDED_BY(mu_);
  absl::Status next_write_ VERNIER_GUARDED_BY(mu_);
  std::function<void()> then_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_MEMORY_STORE_H_
