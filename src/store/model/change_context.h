#ifndef VERNIER_STORE_MODEL_CHANGE_CONTEXT_H_
#define VERNIER_STORE_MODEL_CHANGE_CONTEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "store/change.h"
#include "store/model/working_state.h"
#include "store/store.h"

namespace vernier {

/// One row that a change touched. Its content is in the WorkingState.
struct RowChange {
  enum class Kind {
    kStudyAdded,     ///< With its job, if it has one.
    kStudyChanged,   ///< The fields that every study has.
    kSpecChanged,    ///< The spec of a study that grows, and its version.
    kSpecEdited,     ///< `number` is the version of the spec; see SpecEdit.
    kStudyRemoved,   ///< With all rows of its trials.
    kJobChanged,     ///< And the fields that every study has.
    kJobRevised,     ///< A new version took the place of another.
    kPointQueued,    ///< `number` is the trial that it will be.
    kPointProposed,  ///< `number` counts the study's proposed points from 1.
    kTrialAdded,     ///< Takes its point off the queue.
    kTrialChanged,
    kParametersChanged,  ///< Only `parameters` of a trial.
    kObjectiveChanged,   ///< Only `objective` and `metrics_seen` of a trial.
    kAttemptAdded,       ///< Takes the leases of its devices.
    kAttemptChanged,
    kAttemptEnded,  ///< Releases the leases of its devices.
    kTrialDeleted,
  };

  Kind kind;
  AttemptKey key;  ///< Its trial and number count as far as the kind needs.
};

/// A key-value to set; it belongs to the study if `trial` is 0.
struct MetadataRow {
  StudyId study{};
  TrialId trial{};
  MetadataKey key;
  MetadataValue value;
};

/// The rows and events that a store must write, in order.
struct Effects {
  std::vector<RowChange> rows;
  std::vector<MetadataRow> metadata;
  std::vector<std::pair<StudyId, OperationRecord>> operations;
  std::vector<Event> events;
  std::vector<std::string> requests;  ///< Ids whose answers to remember.
};

/// The table of measurements; the state holds only their summary.
class MeasurementTable {
 public:
  virtual ~MeasurementTable() = default;

  /// Stores a measurement unless one with the same attempt, metric, step and
  /// time is there. Returns true if it was stored.
  virtual absl::StatusOr<bool> Insert(const AttemptKey& attempt,
                                      const Measurement& measurement) = 0;

  /// Returns true if the latest measurement with the same attempt, metric and
  /// step has the same value.
  virtual absl::StatusOr<bool> Holds(const AttemptKey& attempt,
                                     const Measurement& measurement) = 0;

  /// Makes void those measurements of the attempt that `restart` ends: of its
  /// metric and source, from its step on, reported before its time. Returns
  /// true if there were any.
  virtual absl::StatusOr<bool> Void(const AttemptKey& attempt,
                                    const CurveRestart& restart) = 0;

  /// The trial's measurements of a metric that are not void, with their
  /// attempts.
  virtual absl::StatusOr<std::vector<Measurement>> List(
      StudyId study, TrialId trial, const std::string& metric) const = 0;
};

/// The state that a change is applied to, and the places of its effects.
struct ChangeContext {
  WorkingState& state;
  MeasurementTable& measurements;
  Timestamp now;
  Effects& effects;  ///< Appended to.
};

}  // namespace vernier

#endif  // VERNIER_STORE_MODEL_CHANGE_CONTEXT_H_
