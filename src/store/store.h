#ifndef VERNIER_STORE_STORE_H_
#define VERNIER_STORE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/change.h"
#include "store/records.h"
#include "store/trial_list.h"
#include "study/job_id.h"

namespace vernier {

/// One study at one instant: its specification, trials and counts. Immutable;
/// holding it blocks nobody.
struct StudySnapshot : StudyRecord {
  TrialList trials;           ///< All, by id; shares unchanged parts.
  std::vector<TrialId> open;  ///< Not terminal, by id.
  /// Points that become the next trials, before any that is suggested; by id.
  std::vector<std::shared_ptr<const QueuedPoint>> queued;
  /// In the order in which they came.
  std::vector<std::shared_ptr<const ProposedPoint>> proposed;
  int live_attempts = 0;  ///< Attempts that are not terminal.
  /// Terminal trials by cause, without those that were deleted.
  std::map<TrialEndCause, int> ended;
  /// The part of `ended` whose last attempt ran an earlier version of the job.
  /// Trials without an attempt belong to no version.
  std::map<TrialEndCause, int> ended_earlier;
  EventSequence last_event{};  ///< Of this study.
};

/// All studies at one instant, by id.
using StoreSnapshot = std::map<StudyId, std::shared_ptr<const StudySnapshot>>;

/// A measurement and the trial that reported it.
struct TrialMeasurement {
  TrialId trial{};
  Measurement measurement;
};

/// A job to add. The store gives it a study id.
struct NewJob {
  std::shared_ptr<const JobSpec> spec;  ///< Shared: immutable, large.
  /// The project that owns it. Project and job id together identify the job.
  std::string project = std::string(kDefaultProject);
  std::string spec_json;  ///< ParseStoredJob makes `spec` of it.
  std::vector<std::string> ignored_fields;
  std::uint64_t seed = 0;
  std::string code_dir;
  std::string code_digest = "";
  /// The job's run directory is `run_root`/<study id>.
  std::string run_root;
  std::optional<StudyId> resumed_study;
  std::string request_id;  ///< Empty: no idempotence beyond the job id.
  /// The limit of the project's studies, this one included; nullopt: no limit.
  std::optional<int> max_studies = std::nullopt;
  /// A job of the same name that is removed in the same transaction, whatever
  /// its state. FAILED_PRECONDITION if it has a live attempt or HasEverRun. Its
  /// study id is not given again.
  std::optional<StudyId> replaces = std::nullopt;
};

/// True if a program of some trial was ever started: false if nothing was
/// tried, or if nothing that was tried could be started. O(trials) at worst.
bool HasEverRun(const StudySnapshot& study);

/// Counts a trial that has ended in `ended`, and in `ended_earlier` if its last
/// attempt ran an earlier version of the job.
void CountEnded(const TrialBrief& trial, StudySnapshot* study);

/// Returns the number of trials that ended by `cause`, given a StudySnapshot's
/// counts.
inline int CountOf(const std::map<TrialEndCause, int>& ended,
                   TrialEndCause cause) {
  const auto found = ended.find(cause);
  return found == ended.end() ? 0 : found->second;
}

/// True if an attempt that is not terminal runs version `number` of the job.
bool IsVersionAlive(const StudySnapshot& study, int number);

/// Durable record of jobs, trials, attempts, measurements and events.
///
/// Each writing method is one transaction: on OK it has been synced, on error
/// nothing has changed. What it wrote is in every snapshot taken after it
/// returned. Thread-safe. `tests/store/store_conformance.h` is the
/// specification; every implementation passes it.
///
/// Errors of all writing methods: NOT_FOUND if a study, trial or attempt is
/// unknown; RESOURCE_EXHAUSTED if the disk is full (nothing is lost; try again
/// when there is room); UNAVAILABLE forever once the database failed: see
/// Health.
class Store {
 public:
  virtual ~Store() = default;

  /// Adds a job and its study in kQueued, and queues its spec's initial points.
  /// Repeating a non-empty `request_id` with the same job returns the first
  /// call's study and adds nothing; with another job it is INVALID_ARGUMENT, as
  /// is a malformed project id or job name. ALREADY_EXISTS if the name is taken
  /// in the project; RESOURCE_EXHAUSTED beyond max_studies.
  virtual absl::StatusOr<StudyId> CreateJob(const NewJob& job,
                                            Timestamp now) = 0;

  /// Adds a study that its clients run. ALREADY_EXISTS if the name is taken;
  /// INVALID_ARGUMENT if it is no resource name or the spec is not valid;
  /// RESOURCE_EXHAUSTED beyond max_studies.
  virtual absl::StatusOr<StudyId> CreateStudy(const NewStudy& study,
                                              Timestamp now) = 0;

  /// Applies all changes in order, or none. The error is that of the first
  /// change that is refused.
  virtual absl::Status Commit(const std::vector<Change>& changes,
                              Timestamp now) = 0;

  /// Returns the present state. Cheap: copies a pointer, or, after a commit,
  /// the map of pointers.
  virtual std::shared_ptr<const StoreSnapshot> Snapshot() const = 0;

  /// Returns the measurements of one trial by (attempt, metric, step, time); an
  /// empty `metric` means all. At most `limit` of them. Reads the database.
  virtual absl::StatusOr<std::vector<Measurement>> ListMeasurements(
      StudyId study, TrialId trial, const std::string& metric,
      std::size_t limit) const = 0;

  /// Returns the measurements of `metric` by one attempt of a trial (0: its
  /// client) beyond `step`, by step and time; at most `limit`. Reads no more of
  /// the database than that.
  virtual absl::StatusOr<std::vector<Measurement>> ListMeasurementsAfter(
      const AttemptKey& attempt, const std::string& metric, std::int64_t step,
      std::size_t limit) const = 0;

  /// Returns the measurements of trials `first` to `last` of a study, by trial,
  /// then as ListMeasurements orders them; at most `limit`. Reads the database.
  virtual absl::StatusOr<std::vector<TrialMeasurement>> ListStudyMeasurements(
      StudyId study, TrialId first, TrialId last, std::size_t limit) const = 0;

  /// Commits, and then returns the measurements of one trial like
  /// ListStudyMeasurements, including those that the changes add. The caller
  /// waits only once.
  virtual absl::StatusOr<std::vector<TrialMeasurement>> CommitAndList(
      const std::vector<Change>& changes, Timestamp now, StudyId study,
      TrialId trial, std::size_t limit) {
    const absl::Status committed = Commit(changes, now);
    if (!committed.ok()) return committed;
    return ListStudyMeasurements(study, trial, trial, limit);
  }

  /// Returns the answer to a client that asked for suggestions. NOT_FOUND if
  /// there is no such operation. Reads the database.
  virtual absl::StatusOr<OperationRecord> FindOperation(
      StudyId study, std::int64_t number) const = 0;

  /// Returns the answer that a request id is bound to. NOT_FOUND if there is
  /// none.
  virtual absl::StatusOr<RememberedRequest> FindRequest(
      const std::string& request_id) const = 0;

  /// Returns the events after `after`, by sequence, at most `limit`; those of
  /// one study if it is given. Reads the database.
  virtual absl::StatusOr<std::vector<Event>> ListEvents(
      EventSequence after, std::optional<StudyId> study,
      std::size_t limit) const = 0;

  /// Returns the sequence of the newest event; 0 if there is none.
  virtual EventSequence LastEvent() const = 0;

  /// Returns OK, or the first failure of the database (I/O error, corruption),
  /// after which every write is refused: a failed fsync must not be retried.
  virtual absl::Status Health() const = 0;
};

}  // namespace vernier

#endif  // VERNIER_STORE_STORE_H_
