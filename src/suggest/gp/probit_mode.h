#ifndef VERNIER_SUGGEST_GP_PROBIT_MODE_H_
#define VERNIER_SUGGEST_GP_PROBIT_MODE_H_

#include <Eigen/Core>

#include "absl/status/statusor.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

/// How often trials at n distinct points succeeded and failed.
struct SuccessCounts {
  Eigen::MatrixXd inputs;  ///< n x D.
  Eigen::VectorXd good;    ///< n, and so is `bad`; their sums are >= 1.
  Eigen::VectorXd bad;
  LengthScaleGroups groups;
};

/// The latent function f of a probit classification, P(success) = Phi(f(x)):
/// a Gaussian process about the constant kProbitMean, plus a linear function of
/// the columns whose weights have the standard deviation `steepness`.
struct ProbitMode {
  /// Pseudo-targets f - kProbitMean + W^-1 (gradient of the log likelihood),
  /// with the known noise W^-1, at the most probable f. Regression on them has
  /// that f as its posterior mean, and Laplace's covariance. The linear
  /// function is in their shared noise.
  RegressionData data;
  /// Laplace's approximation of the log marginal likelihood, up to a constant.
  double log_evidence = 0;
};

/// The mean of f before any trial, itself known to one standard deviation of 1
/// (kMeanPriorVariance): where something failed, an unknown place may well
/// fail.
inline constexpr double kProbitMean = -1;

/// Returns the columns about their middle, of which the linear part is a
/// function: m x D.
Eigen::MatrixXd LinearColumns(const Eigen::Ref<const Eigen::MatrixXd>& points);

/// Finds the most probable latent function by Newton's method (Rasmussen and
/// Williams 2006, section 3.4, with the probit likelihood of section 3.9). The
/// noise variance in `theta` has no effect. O(n^3). Deterministic. Errors of
/// Factorize.
absl::StatusOr<ProbitMode> FindProbitMode(const SuccessCounts& counts,
                                          const LogHyperparameters& theta,
                                          double steepness);

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_PROBIT_MODE_H_
