#ifndef VERNIER_SUGGEST_GP_MAP_OBJECTIVE_H_
#define VERNIER_SUGGEST_GP_MAP_OBJECTIVE_H_

#include <Eigen/Core>

#include "absl/status/statusor.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

/// Negative log posterior density of the hyperparameters, up to a constant:
///
///   1/2 (y-m)' (K+N)^-1 (y-m) + 1/2 ln|K+N| + m^2 / (2 tau^2) - ln p(theta)
///
/// where m is at its most probable value, so that its derivative is 0 in the
/// gradient. Repeated measurements add the negative log likelihood of their
/// deviations, which are normal with the noise variance. Borrows its arguments.
/// Not thread-safe.
class MapObjective {
 public:
  MapObjective(const RegressionData& data, const HyperparameterPrior& prior)
      : data_(data), prior_(prior) {}

  /// `gradient`, if not null, receives p + 2 derivatives. About n^3 operations
  /// plus one matrix product for all length scales together. O(n^2) memory,
  /// which the next call reuses. INTERNAL as Factorize.
  absl::StatusOr<double> Evaluate(const LogHyperparameters& theta,
                                  Eigen::VectorXd* gradient);

 private:
  // Overwrites the inverse factor.
  Eigen::VectorXd LikelihoodGradient(const LogHyperparameters& theta);

  const RegressionData& data_;
  const HyperparameterPrior& prior_;
  FactorizedCovariance factorized_;  // Of the last call.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_MAP_OBJECTIVE_H_
