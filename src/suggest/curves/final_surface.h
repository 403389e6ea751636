#ifndef VERNIER_SUGGEST_CURVES_FINAL_SURFACE_H_
#define VERNIER_SUGGEST_CURVES_FINAL_SURFACE_H_

#include <Eigen/Core>
#include <optional>

#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/leave_one_out.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

struct NormalValue {
  double mean = 0;
  double variance = 1;  ///< > 0.
};

/// Combines the predictions from a trial's own curve and from similar trials as
/// independent sources. If they are more than two standard deviations apart,
/// the trial is not like the others, and their prediction counts for less.
NormalValue Join(const NormalValue& curve, const NormalValue& others);

/// The prediction of a training's final value from its parameters alone: a
/// Gaussian process with a length scale for each parameter, like that of the
/// suggestions. Immutable, so thread-compatible.
class FinalSurface {
 public:
  /// `data` has the final values as targets, in any unit; those that are only
  /// estimated have known noise. nullopt if nothing varies or a model cannot be
  /// made. Deterministic. O(n^3).
  static std::optional<FinalSurface> Create(RegressionData data);

  /// Returns the final value, with its noise, of a training at an encoded
  /// point.
  NormalValue Predict(const Eigen::RowVectorXd& input) const;

  /// Returns the prediction for row `i` of the data from the other rows.
  NormalValue LeaveOut(Eigen::Index i) const;

 private:
  FinalSurface(GaussianProcess gp, LeaveOneOut left_out, double centre,
               double unit);

  NormalValue InUnits(double mean, double variance) const;

  GaussianProcess gp_;
  LeaveOneOut left_out_;
  double centre_;
  double unit_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_CURVES_FINAL_SURFACE_H_
