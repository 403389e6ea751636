#ifndef VERNIER_STORE_TRIAL_BRIEF_H_
#define VERNIER_STORE_TRIAL_BRIEF_H_

#include <optional>

#include "base/clock.h"
#include "store/records.h"
#include "study/ids.h"
#include "study/trial_state.h"

namespace vernier {

/// The fields of a TrialRecord that ranking, counting and most filters need, so
/// that many trials can be read without unpacking them.
struct TrialBrief {
  TrialId id{};
  TrialState state = TrialState::kRequested;
  TrialEndCause end_cause = TrialEndCause::kNone;
  bool is_deleted = false;
  bool has_finite_report = false;  ///< MetricSummary::finite_count > 0.
  /// The job's version that its last attempt ran; 0 if it has no attempt.
  int code_version = 0;
  Timestamp created_at{};
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> ended_at;
  std::optional<FinalMeasurement> final_measurement;
  std::optional<FinalMeasurement> last;  ///< MetricSummary::last.
};

inline bool IsDeleted(const TrialBrief& trial) { return trial.is_deleted; }

inline TrialBrief BriefOf(const TrialRecord& trial) {
  return {trial.id,
          trial.state,
          trial.end_cause,
          IsDeleted(trial),
          trial.objective.finite_count > 0,
          trial.attempts.empty() ? 0 : trial.attempts.back().code_version,
          trial.created_at,
          trial.started_at,
          trial.ended_at,
          trial.final_measurement,
          trial.objective.last};
}

}  // namespace vernier

#endif  // VERNIER_STORE_TRIAL_BRIEF_H_
