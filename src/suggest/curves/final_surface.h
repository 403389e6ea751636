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

/// What a trial's own curve and the others of its like say together, as
/// independent sources. Where they are more than two standard deviations apart,
/// the trial is not of that kind, and the others count for less.
NormalValue Join(const NormalValue& curve, const NormalValue& others);

/// What the parameters alone say about a training's final value: a Gaussian
/// process with a length scale for each parameter, as the suggestions have.
/// Immutable, so thread-compatible.
class FinalSurface {
 public:
  /// `data` has the final values for targets, in any unit; those that are only
  /// estimated have known noise. nullopt if nothing varies or a model cannot be
  /// made. Deterministic. O(n^3).
  static std::optional<FinalSurface> Create(RegressionData data);

  /// The final value, with its noise, of a training at an encoded point.
  NormalValue Predict(const Eigen::RowVectorXd& input) const;

  /// What the other rows say about row `i` of the data.
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
