#ifndef VERNIER_SUGGEST_GP_GAUSSIAN_PROCESS_H_
#define VERNIER_SUGGEST_GP_GAUSSIAN_PROCESS_H_

#include <Eigen/Core>

#include "absl/status/statusor.h"
#include "suggest/gp/hyperparameter_prior.h"
#include "suggest/gp/matern_kernel.h"
#include "suggest/gp/regression_data.h"

namespace vernier {

/// Variance of the normal prior on the constant mean, which is set to its most
/// probable value. Targets are of order 1.
inline constexpr double kMeanPriorVariance = 1.0;

/// K + noise, factorised, and the values that follow directly from it.
struct FactorizedCovariance {
  Eigen::MatrixXd scaled_inputs;   ///< n x D, divided by the length scales.
  KernelBlock kernel;              ///< Lower triangles, without noise.
  Eigen::VectorXd noise_variance;  ///< n, including jitter.
  /// Lower triangle L^-1 of the Cholesky factor L of K + noise; 0 above.
  Eigen::MatrixXd inverse_factor;
  double half_log_determinant = 0;
  double mean = 0;        ///< Of the process.
  Eigen::VectorXd alpha;  ///< (K + noise)^-1 (targets - mean).
};

/// Factorises at given hyperparameters. If rounding leaves the matrix
/// indefinite, adds 1e-10, 1e-8, 1e-6, 1e-4 and at last 1e-3 of the signal
/// variance to its diagonal. INTERNAL if even that does not help. `result` may
/// be that of an earlier call; its memory is then reused.
absl::Status Factorize(const RegressionData& data,
                       const LogHyperparameters& theta,
                       FactorizedCovariance* result);

/// Posterior marginals of the latent function at m points; gradients, if asked
/// for, are m x D with respect to the points' columns.
struct Posterior {
  Eigen::VectorXd mean;
  Eigen::VectorXd variance;  ///< > 0, without noise.
  Eigen::MatrixXd mean_gradient;
  Eigen::MatrixXd variance_gradient;
};

/// Exact Gaussian-process regression (Rasmussen and Williams 2006, algorithm
/// 2.1) with fixed hyperparameters. It can grow by results and by the places of
/// pending trials. Copyable. Thread-compatible.
class GaussianProcess {
 public:
  /// O(n^3) time, O(n^2) memory. INVALID_ARGUMENT on a shape mismatch or a
  /// non-finite entry; INTERNAL if K + noise stays indefinite (see Factorize).
  static absl::StatusOr<GaussianProcess> Create(
      const RegressionData& data, const LogHyperparameters& theta);

  /// Adds a data point; O(n^2). Its target counts from the next SetTargets,
  /// which must follow. There must be no hallucinated points and no shared
  /// noise.
  void Append(const Eigen::RowVectorXd& row, double noise_scale,
              double known_noise);

  /// Replaces the targets of all data points; O(n^2).
  void SetTargets(const Eigen::VectorXd& targets);

  /// Conditions the variance, but not the mean, on a trial at `row` that has
  /// no result yet. O(n^2).
  void Hallucinate(const Eigen::RowVectorXd& row);

  /// Undoes every Hallucinate. O(1).
  void ForgetHallucinated() { size_ = num_data_; }

  /// `queries` is m x D, or less wide: columns that are missing are 0, and the
  /// gradients are as wide as the queries. O(m n^2), as matrix products.
  Posterior Predict(const Eigen::Ref<const Eigen::MatrixXd>& queries,
                    bool with_gradients) const;

  /// As Predict, without variances; O(m n D).
  Posterior PredictMean(const Eigen::Ref<const Eigen::MatrixXd>& queries,
                        bool with_gradients) const;

  /// Returns the posterior mean at the data points that are not foreign
  /// (RegressionData::num_foreign); O(n).
  auto fitted_means() const {
    return fitted_means_.tail(fitted_means_.size() - num_foreign_);
  }

  /// Returns k between m `queries` (m x D) and the conditioning points: m x
  /// size().
  Eigen::MatrixXd Covariance(
      const Eigen::Ref<const Eigen::MatrixXd>& queries) const;

  /// Returns (K + noise)^-1 `columns`; size() x s. O(n^2 s).
  Eigen::MatrixXd Solve(const Eigen::Ref<const Eigen::MatrixXd>& columns) const;

  /// Returns the diagonal of (K + noise)^-1; size() entries. O(n^2).
  Eigen::VectorXd InverseDiagonal() const;

  /// The conditioning points, divided by the length scales: size() x D.
  auto scaled_inputs() const { return scaled_inputs_.topRows(size_); }

  /// The process's constant mean, and (K + noise)^-1 (targets - mean).
  double mean() const { return mean_; }
  auto alpha() const { return alpha_.head(size_); }

  /// The noise variance of each conditioning point, jitter included, without
  /// the shared noise.
  auto noise_variances() const { return noise_.head(size_); }

  /// The noise that the data points have in common, as RegressionData's:
  /// num_data() x r.
  const Eigen::MatrixXd& shared_noise() const { return shared_noise_; }

  /// Noise variance of one measurement that was reported without its own.
  double noise_variance() const { return noise_variance_; }

  double signal_variance() const { return signal_variance_; }
  const Eigen::RowVectorXd& inverse_length_scales() const {
    return inverse_length_scales_;
  }

  /// Number of conditioning points, hallucinated ones included.
  Eigen::Index size() const { return size_; }
  Eigen::Index num_data() const { return num_data_; }

 private:
  GaussianProcess() = default;

  // Extends the factor by one row. Rows are always added one at a time, so that
  // a batch and single calls round alike.
  void AppendRow(const Eigen::RowVectorXd& row, double noise_variance);
  void Reserve(Eigen::Index size);

  // Divides queries by the length scales, and adds the columns that are
  // missing.
  Eigen::MatrixXd Scaled(
      const Eigen::Ref<const Eigen::MatrixXd>& queries) const;

  // The gradient of sums of k at the `scaled` queries: `weights` (n x m) are
  // the terms' factors times E.
  Eigen::MatrixXd Gradient(const Eigen::MatrixXd& weights,
                           const Eigen::MatrixXd& scaled,
                           Eigen::Index num_columns) const;

  auto inputs() const { return scaled_inputs_.topRows(size_); }
  auto factor() const { return inverse_factor_.topLeftCorner(size_, size_); }

  Eigen::RowVectorXd inverse_length_scales_;  // D.
  double signal_variance_ = 1;
  double noise_variance_ = 1;
  double hallucinated_noise_variance_ = 0;
  double mean_ = 0;
  Eigen::Index num_data_ = 0;
  Eigen::Index num_foreign_ = 0;  // The first of them.
  Eigen::Index size_ = 0;
  // Allocated for more rows than size_, so that growing by one copies nothing.
  // The number of rows is a multiple of 8, so every column is aligned alike and
  // sums are taken in the same order whatever the capacity.
  Eigen::MatrixXd scaled_inputs_;   // capacity x D.
  Eigen::VectorXd noise_;           // capacity; known at data points.
  Eigen::VectorXd alpha_;           // capacity; 0 for hallucinated points.
  Eigen::MatrixXd inverse_factor_;  // capacity x capacity, lower triangular.
  Eigen::VectorXd fitted_means_;    // num_data_.
  Eigen::MatrixXd shared_noise_;  // Rows: data points of Create; may be empty.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_GAUSSIAN_PROCESS_H_
