#ifndef VERNIER_SUGGEST_GP_REGRESSION_DATA_H_
#define VERNIER_SUGGEST_GP_REGRESSION_DATA_H_

#include <Eigen/Core>

#include "suggest/gp/hyperparameter_prior.h"

namespace vernier {

/// The data that a Gaussian process is fitted to; n points of D columns.
struct RegressionData {
  Eigen::MatrixXd inputs;   ///< n x D, distinct rows.
  Eigen::VectorXd targets;  ///< n, finite, of order 1, larger is better.
  /// Factor of the noise variance, n entries: 1/r for a point measured r times.
  Eigen::VectorXd noise_scale;
  LengthScaleGroups groups;
  /// Known noise variance, which is added to the rest: n entries, or empty for
  /// zeros. A point whose whole noise is known has a noise_scale of 0.
  Eigen::VectorXd known_noise = {};
  /// Known noise that points have in common: n x r, or empty. Adds its square
  /// (shared_noise * shared_noise') to the noise's covariance.
  Eigen::MatrixXd shared_noise = {};
  /// The number of first rows whose targets are not this study's, so that the
  /// best among them is nothing to improve on.
  Eigen::Index num_foreign = 0;
  /// The squared deviations of repeated measurements from the means of their
  /// points, summed, and their degrees of freedom. They say more about the
  /// noise than the targets do; 0 if they are not known.
  double repeat_squares = 0;
  double repeat_degrees = 0;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_REGRESSION_DATA_H_
