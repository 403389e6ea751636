#ifndef VERNIER_SUGGEST_MEMORY_TARGET_SCALE_H_
#define VERNIER_SUGGEST_MEMORY_TARGET_SCALE_H_

#include <Eigen/Core>

namespace vernier {

/// The line that takes a study's own targets into the units of earlier studies'
/// targets: factor * target + offset.
///
/// Each study's targets are spread over about 1, whatever part of the range
/// they cover. The first results of a search that has memory are all good, so
/// they cover only a small part.
struct TargetScale {
  double factor = 1;  ///< > 0.
  double offset = 0;
  /// What the choice adds to the negative log density of the scaled targets:
  /// the logarithm of its Jacobian, and its prior.
  double penalty = 0;
};

/// Returns the most probable line, under which the n `own` targets agree best
/// with what `foreign` targets (f) predict for them. `inverse_factor` is L^-1
/// of the joint covariance, foreign rows first; (f + n) x (f + n). `mean` is
/// that of the process. n >= 1.
TargetScale FitTargetScale(
    const Eigen::Ref<const Eigen::MatrixXd>& inverse_factor,
    const Eigen::VectorXd& foreign, const Eigen::VectorXd& own, double mean);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_MEMORY_TARGET_SCALE_H_
