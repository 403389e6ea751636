#ifndef VERNIER_SUGGEST_CURVES_CURVE_ERRORS_H_
#define VERNIER_SUGGEST_CURVES_CURVE_ERRORS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "suggest/curves/curve_lessons.h"
#include "suggest/curves/curve_regression.h"
#include "suggest/curves/curve_transition.h"
#include "suggest/curves/final_surface.h"

namespace vernier {

/// The accuracy that one way to predict would have had for the trainings that
/// came to their end.
struct CurveCalibration {
  /// The factor by which to widen its variances; >= 1. It is the excess of the
  /// squared errors over the expected ones. It is computed from the better half
  /// of the trainings, which the doubtful ones resemble, and from those that
  /// were underestimated, since these would be given up by mistake.
  double inflation = 1;
  /// Mean log density of the final values of that half, with the widened
  /// variances, up to a constant; minus infinity if there are none.
  double log_density = 0;
};

/// A prediction compared with its outcome.
struct PredictionError {
  double difference = 0;  ///< The final value less the expected one.
  double variance = 1;    ///< As predicted.
};

/// Calibrates `regression`, which was made from `lessons`, by its predictions
/// of these trainings, each left out in turn.
CurveCalibration CalibrateRegression(const CurveRegression& regression,
                                     const std::vector<CurveLesson>& lessons);

/// The errors that predictions of complete trainings by their changes would
/// have had, each training left out in turn. Borrows all arguments.
class CurveErrors {
 public:
  CurveErrors(const std::vector<CurveLesson>& lessons,
              const std::vector<TransitionData>& changes,
              const std::vector<CurveTransition>& transitions);

  /// Calibrates the prediction from a curve up to `level` by the changes of
  /// other curves.
  CurveCalibration OfCurve(std::size_t level) const;

  /// Calibrates that prediction, widened by `inflation` and combined with
  /// `surface`'s prediction from the parameters. `rows[i]` is the lesson of the
  /// surface's row i.
  CurveCalibration OfJoint(std::size_t level, double inflation,
                           const FinalSurface& surface,
                           const std::vector<std::size_t>& rows) const;

 private:
  // nullopt if a change on the way was not among the data.
  std::optional<PredictionError> ErrorFrom(std::size_t level,
                                           std::size_t lesson) const;

  const std::vector<CurveLesson>& lessons_;
  const std::vector<TransitionData>& changes_;
  const std::vector<CurveTransition>& transitions_;
  const double median_;  // Of the final values.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_CURVE_ERRORS_H_
