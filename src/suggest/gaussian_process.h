#ifndef VERNIER_SUGGEST_GAUSSIAN_PROCESS_H_
#define VERNIER_SUGGEST_GAUSSIAN_PROCESS_H_

#include <Eigen/Core>

#include "absl/status/statusor.h"
#include "suggest/hyperparameter_prior.h"
#include "suggest/matern_kernel.h"
#include "suggest/regression_data.h"

namespace vernier {

/// Variance of the normal prior on the constant mean, which is integrated out
/// at its best value. Targets are of order 1.
inline constexpr double kMeanPriorVariance = 1.0;

/// K + noise, factorised, and what follows from it at once.
struct FactorizedCovariance {
  Eigen::MatrixXd scaled_inputs;   ///< n x D, divided by the length scales.
  KernelBlock kernel;              ///< n x n, without noise.
  Eigen::VectorXd noise_variance;  ///< n, including jitter.
  /// Lower triangle L^-1 of the Cholesky factor L of K + noise; 0 above.
  Eigen::MatrixXd inverse_factor;
  double half_log_determinant = 0;
  double mean = 0;        ///< Of the process.
  Eigen::VectorXd alpha;  ///< (K + noise)^-1 (targets - mean).
};

/// Factorises at given hyperparameters. If rounding leaves the matrix
/// indefinite, adds 1e-10, 1e-8, 1e-6, then 1e-4 of the signal variance to its
/// diagonal, and at last 1e-3. INTERNAL if even that does not help.
absl::StatusOr<FactorizedCovariance> Factorize(const RegressionData& data,
                                               const LogHyperparameters& theta);

/// Posterior marginals of the latent function at m points; gradients, if asked
/// for, are m x D with respect to the points' columns.
struct Posterior {
  Eigen::VectorXd mean;
  Eigen::VectorXd variance;  ///< > 0, without noise.
  Eigen::MatrixXd mean_gradient;
  Eigen::MatrixXd variance_gradient;
};

/// Exact Gaussian-process regression (Rasmussen and Williams 2006, algorithm
/// 2.1) with fixed hyperparameters. Thread-compatible.
class GaussianProcess {
 public:
  /// O(n^3) time, O(n^2) memory. INVALID_ARGUMENT on a shape mismatch or a
  /// non-finite entry; INTERNAL if K + noise stays indefinite (see Factorize).
  static absl::StatusOr<GaussianProcess> Create(
      const RegressionData& data, const LogHyperparameters& theta);

  /// Conditions the variance, but not the mean, on a trial at `row` that has
  /// no result yet. O(n^2).
  void Hallucinate(const Eigen::RowVectorXd& row);

  /// `queries` is m x D. O(m n^2), as matrix products.
  Posterior Predict(const Eigen::Ref<const Eigen::MatrixXd>& queries,
                    bool with_gradients) const;

  /// Posterior mean at the n data points; O(n).
  const Eigen::VectorXd& fitted_means() const { return fitted_means_; }

  /// Number of conditioning points, hallucinated ones included.
  Eigen::Index size() const { return scaled_inputs_.rows(); }

 private:
  GaussianProcess() = default;

  Eigen::RowVectorXd inverse_length_scales_;  // D.
  double signal_variance_ = 1;
  double hallucinated_noise_variance_ = 0;
  double mean_ = 0;
  Eigen::MatrixXd scaled_inputs_;   // size() x D.
  Eigen::VectorXd alpha_;           // size(); 0 for hallucinated points.
  Eigen::MatrixXd inverse_factor_;  // size() x size(), lower triangular.
  Eigen::VectorXd fitted_means_;    // n.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GAUSSIAN_PROCESS_H_
