#ifndef VERNIER_SUGGEST_CURVES_CURVE_STUDY_H_
#define VERNIER_SUGGEST_CURVES_CURVE_STUDY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "study/job_spec.h"
#include "study/parameter.h"
#include "suggest/curves/learning_curve.h"

namespace vernier {

enum class CurveState {
  kRunning = 1,
  kPaused = 2,        ///< It may be resumed from its last report.
  kCompleted = 3,     ///< The training came to its own end.
  kStoppedEarly = 4,  ///< The training was cut short.
};

/// The reports of a trial, in the user's own sign.
struct TrialCurve {
  std::int64_t trial = 0;
  Parameters parameters;
  /// Finite, by step, steps strictly increasing; at most kMaxCurvePoints.
  Curve reports;
  CurveState state = CurveState::kRunning;
  std::optional<double> final_value;  ///< Set if and only if kCompleted.
  /// The trial is known to break a constraint of the study, so that it teaches
  /// how curves go on, and no other trial has to be as good.
  bool breaks_constraint = false;

  friend bool operator==(const TrialCurve&, const TrialCurve&) = default;
};

/// A read-only snapshot of a study, with all that a stopping rule or a model of
/// curves may know of it.
struct CurveStudy {
  std::vector<ParameterSpec> space;  ///< Validated.
  Goal goal = Goal::kMaximize;
  std::uint64_t seed = 0;
  std::vector<TrialCurve> trials;  ///< By ascending number.
  bool can_resume = false;  ///< Whether trials may be paused and resumed.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_STUDY_H_
