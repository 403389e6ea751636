#ifndef VERNIER_SUGGEST_GP_REGRESSION_DATA_H_
#define VERNIER_SUGGEST_GP_REGRESSION_DATA_H_

#include <Eigen/Core>

#include "suggest/gp/hyperparameter_prior.h"

namespace vernier {

/// What a Gaussian process is fitted to; n points of D columns.
struct RegressionData {
  Eigen::MatrixXd inputs;   ///< n x D, distinct rows.
  Eigen::VectorXd targets;  ///< n, finite, of order 1, larger is better.
  /// n; a point measured r times has 1/r of the noise variance.
  Eigen::VectorXd noise_scale;
  LengthScaleGroups groups;
  /// n, or empty for zeros: noise variance that is known, added to the rest. A
  /// point whose whole noise is known has a noise_scale of 0.
  Eigen::VectorXd known_noise = {};
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_REGRESSION_DATA_H_
