#ifndef VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/job_spec.h"
#include "study/parameter.h"
#include "suggest/stopping/learning_curve.h"

namespace vernier {

enum class CurveState {
  kRunning = 1,
  kPaused = 2,        ///< It may be resumed from its last report.
  kCompleted = 3,     ///< The training came to its own end.
  kStoppedEarly = 4,  ///< The training was cut short.
};

/// What a trial reported, in the user's own sign.
struct TrialCurve {
  std::int64_t trial = 0;
  Parameters parameters;
  /// Finite, by step, steps strictly increasing; at most kMaxCurvePoints.
  Curve reports;
  CurveState state = CurveState::kRunning;
  std::optional<double> final_value;  ///< Set if and only if kCompleted.
  /// Ascends in the order in which trials ended or were paused; of equal ones
  /// the smaller number was first. Without meaning while kRunning.
  std::int64_t end_order = 0;

  friend bool operator==(const TrialCurve&, const TrialCurve&) = default;
};

/// All that a rule may know of a study: a read-only snapshot.
struct CurveStudy {
  std::vector<ParameterSpec> space;  ///< Validated.
  Goal goal = Goal::kMaximize;
  std::uint64_t seed = 0;
  std::vector<TrialCurve> trials;  ///< By ascending number.
  bool can_resume = false;         ///< Whether kPause and kResume may be said.
};

enum class TrialAdvice {
  kContinue = 1,
  kStop = 2,
  kPause = 3,
  kResume = 4,  ///< Of a paused trial, in place of a new one.
};

struct StoppingVerdict {
  std::int64_t trial = 0;
  TrialAdvice advice = TrialAdvice::kContinue;
  std::string reason;  ///< One sentence with its numbers; empty: kContinue.
};

/// Says which trials are worth going on with. Deterministic: verdicts depend on
/// the study and the options alone, so that what a policy remembers only saves
/// time, and a restart changes no verdict. Not thread-safe.
class StoppingPolicy {
 public:
  virtual ~StoppingPolicy() = default;

  /// Advice for each running trial that should not go on, and for at most
  /// `free_slots` paused ones that should rather go on than a new one start; by
  /// ascending number. No memory is needed of earlier advice.
  virtual std::vector<StoppingVerdict> Judge(const CurveStudy& study,
                                             int free_slots) = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_STOPPING_POLICY_H_
