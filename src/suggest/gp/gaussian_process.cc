#include "suggest/gp/gaussian_process.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "suggest/gp/triangular_inverse.h"

namespace vernier {
namespace {

// The inverse L^-1 of the Cholesky factor is kept instead of L, so that
// predictions at many points are matrix products. A point is added by one more
// row of L^-1, which follows from the block form of the Cholesky decomposition.
// A hallucinated point has an alpha of 0: it changes the variance but not the
// mean.

constexpr double kJitters[] = {0, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3};

// Relative to the signal variance. A smaller variance is only rounding.
constexpr double kMinVariance = 1e-12;
constexpr double kMinPivot = 1e-10;

// Spare rows for points that are appended.
constexpr Eigen::Index kRoom = 16;

// With much noise, one pending trial must be enough to make its place look
// known; otherwise all parallel trials gather there (Vizier's rule and
// constants).
constexpr double kNoisySignalToNoise = 0.7;
constexpr double kNoisyHallucinatedNoise = 1e-10;

absl::Status CheckShapes(const RegressionData& data,
                         const LogHyperparameters& theta) {
  const Eigen::Index n = data.inputs.rows();
  if (n < 1 || data.targets.size() != n || data.noise_scale.size() != n) {
    return absl::InvalidArgumentError(absl::StrCat(
        "inputs, targets and noise scales must have the same size >= 1: ", n,
        ", ", data.targets.size(), ", ", data.noise_scale.size()));
  }
  if (data.known_noise.size() != 0 && data.known_noise.size() != n) {
    return absl::InvalidArgumentError(
        absl::StrCat("known noise must be given for all ", n,
                     " points or none: ", data.known_noise.size()));
  }
  if (data.shared_noise.size() != 0 && data.shared_noise.rows() != n) {
    return absl::InvalidArgumentError(
        absl::StrCat("shared noise must be given for all ", n,
                     " points or none: ", data.shared_noise.rows()));
  }
  if (static_cast<Eigen::Index>(data.groups.group_of_column.size()) !=
          data.inputs.cols() ||
      theta.size() != data.groups.size() + 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "length scales do not match the inputs: columns=", data.inputs.cols(),
        " hyperparameters=", theta.size()));
  }
  if (!data.inputs.allFinite() || !data.targets.allFinite() ||
      !data.noise_scale.allFinite() || !data.known_noise.allFinite() ||
      !data.shared_noise.allFinite() || !theta.allFinite()) {
    return absl::InvalidArgumentError(
        "inputs, targets, noise scales and hyperparameters must be finite");
  }
  return absl::OkStatus();
}

struct Solution {
  double mean = 0;
  Eigen::VectorXd alpha;
};

// The mean maximises the likelihood times its prior.
Solution SolveForTargets(
    const Eigen::Ref<const Eigen::MatrixXd>& inverse_factor,
    const Eigen::VectorXd& targets) {
  const auto factor = inverse_factor.triangularView<Eigen::Lower>();
  const auto transposed =
      inverse_factor.transpose().triangularView<Eigen::Upper>();
  const Eigen::VectorXd whitened_ones =
      factor * Eigen::VectorXd::Ones(targets.size());
  const Eigen::VectorXd whitened = factor * targets;
  Solution solution;
  solution.mean = whitened_ones.dot(whitened) /
                  (whitened_ones.squaredNorm() + 1 / kMeanPriorVariance);
  solution.alpha = transposed * (whitened - solution.mean * whitened_ones);
  return solution;
}

}  // namespace

absl::Status Factorize(const RegressionData& data,
                       const LogHyperparameters& theta,
                       FactorizedCovariance* result) {
  const double signal_variance = SignalVariance(theta);
  result->scaled_inputs = data.inputs.array().rowwise() *
                          InverseLengthScales(data.groups, theta).array();
  // Centring changes no distance and makes distances more exact.
  result->scaled_inputs.rowwise() -=
      Eigen::RowVectorXd(result->scaled_inputs.colwise().mean());
  ComputeLowerMatern52(result->scaled_inputs, signal_variance, &result->kernel);
  for (const double jitter : kJitters) {
    result->noise_variance = NoiseVariance(theta) * data.noise_scale.array() +
                             jitter * signal_variance;
    if (data.known_noise.size() > 0) result->noise_variance += data.known_noise;
    Eigen::MatrixXd& factor = result->inverse_factor;
    factor = result->kernel.value;
    factor.diagonal() += result->noise_variance;
    if (data.shared_noise.size() > 0) {
      factor.selfadjointView<Eigen::Lower>().rankUpdate(data.shared_noise);
    }
    // In place: on return the lower triangle is L.
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(factor);
    if (cholesky.info() != Eigen::Success) continue;
    // A failed factorization shows as NaN on the diagonal.
    result->half_log_determinant = factor.diagonal().array().log().sum();
    if (!std::isfinite(result->half_log_determinant)) continue;
    InvertLowerTriangle(factor);
    factor.triangularView<Eigen::StrictlyUpper>().setZero();
    Solution solution = SolveForTargets(result->inverse_factor, data.targets);
    result->mean = solution.mean;
    result->alpha = std::move(solution.alpha);
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      "the covariance matrix stays indefinite with jitter 1e-3: n=",
      data.inputs.rows(), " signal_variance=", signal_variance,
      " noise_variance=", NoiseVariance(theta)));
}

absl::StatusOr<GaussianProcess> GaussianProcess::Create(
    const RegressionData& data, const LogHyperparameters& theta) {
  VERNIER_RETURN_IF_ERROR(CheckShapes(data, theta));
  FactorizedCovariance factorized;
  VERNIER_RETURN_IF_ERROR(Factorize(data, theta, &factorized));
  factorized.kernel = {};  // It takes two thirds of the memory.
  GaussianProcess gp;
  gp.inverse_length_scales_ = InverseLengthScales(data.groups, theta);
  gp.signal_variance_ = SignalVariance(theta);
  gp.noise_variance_ = NoiseVariance(theta);
  gp.hallucinated_noise_variance_ =
      gp.signal_variance_ / gp.noise_variance_ < kNoisySignalToNoise
          ? kNoisyHallucinatedNoise
          : gp.noise_variance_;
  const Eigen::Index n = data.inputs.rows();
  gp.Reserve(n + kRoom);
  gp.num_data_ = n;
  gp.num_foreign_ = data.num_foreign;
  gp.size_ = n;
  gp.scaled_inputs_.topRows(n) =
      data.inputs.array().rowwise() * gp.inverse_length_scales_.array();
  gp.noise_.head(n) = factorized.noise_variance;
  gp.inverse_factor_.topLeftCorner(n, n) = factorized.inverse_factor;
  gp.mean_ = factorized.mean;
  gp.alpha_.head(n) = factorized.alpha;
  gp.fitted_means_ =
      data.targets - factorized.noise_variance.cwiseProduct(factorized.alpha);
  if (data.shared_noise.size() > 0) {
    gp.fitted_means_ -=
        data.shared_noise * (data.shared_noise.transpose() * factorized.alpha);
    gp.shared_noise_ = data.shared_noise;
  }
  return gp;
}

void GaussianProcess::Reserve(Eigen::Index size) {
  if (size <= inverse_factor_.rows()) return;
  const Eigen::Index old = inverse_factor_.rows();
  const Eigen::Index capacity = (size + kRoom + 7) / 8 * 8;
  scaled_inputs_.conservativeResize(capacity, inverse_length_scales_.size());
  noise_.conservativeResize(capacity);
  alpha_.conservativeResize(capacity);
  inverse_factor_.conservativeResize(capacity, capacity);
  inverse_factor_.bottomRows(capacity - old).setZero();
  inverse_factor_.rightCols(capacity - old).setZero();
}

void GaussianProcess::AppendRow(const Eigen::RowVectorXd& row,
                                double noise_variance) {
  const Eigen::Index n = size_;
  Reserve(n + 1);
  const Eigen::MatrixXd scaled = Scaled(row);
  const KernelBlock block = ComputeMatern52(inputs(), scaled, signal_variance_);
  const Eigen::VectorXd column =
      factor().triangularView<Eigen::Lower>() * block.value.col(0);
  const double pivot = std::sqrt(
      std::max(signal_variance_ + noise_variance - column.squaredNorm(),
               kMinPivot * signal_variance_));
  const Eigen::VectorXd last =
      factor().transpose().triangularView<Eigen::Upper>() * column;
  scaled_inputs_.row(n) = scaled;
  noise_[n] = noise_variance;
  alpha_[n] = 0;
  inverse_factor_.row(n).head(n) = -last.transpose() / pivot;
  inverse_factor_(n, n) = 1 / pivot;
  size_ = n + 1;
}

void GaussianProcess::Append(const Eigen::RowVectorXd& row, double noise_scale,
                             double known_noise) {
  VERNIER_CHECK(size_ == num_data_ && shared_noise_.size() == 0);
  AppendRow(row, noise_scale * noise_variance_ + known_noise);
  num_data_ = size_;
}

void GaussianProcess::SetTargets(const Eigen::VectorXd& targets) {
  VERNIER_CHECK(size_ == num_data_ && targets.size() == num_data_);
  const Solution solution = SolveForTargets(factor(), targets);
  mean_ = solution.mean;
  alpha_.head(num_data_) = solution.alpha;
  fitted_means_ = targets - noise_.head(num_data_).cwiseProduct(solution.alpha);
}

void GaussianProcess::Hallucinate(const Eigen::RowVectorXd& row) {
  AppendRow(row, hallucinated_noise_variance_);
}

Eigen::MatrixXd GaussianProcess::Scaled(
    const Eigen::Ref<const Eigen::MatrixXd>& queries) const {
  const Eigen::Index width = inverse_length_scales_.size();
  if (queries.cols() == width) {
    return queries.array().rowwise() * inverse_length_scales_.array();
  }
  Eigen::MatrixXd scaled = Eigen::MatrixXd::Zero(queries.rows(), width);
  scaled.leftCols(queries.cols()) =
      queries.array().rowwise() *
      inverse_length_scales_.head(queries.cols()).array();
  return scaled;
}

Posterior GaussianProcess::Predict(
    const Eigen::Ref<const Eigen::MatrixXd>& queries,
    bool with_gradients) const {
  const Eigen::MatrixXd scaled = Scaled(queries);
  const KernelBlock block = ComputeMatern52(inputs(), scaled, signal_variance_);
  const Eigen::VectorXd alpha = alpha_.head(size_);
  Eigen::MatrixXd whitened(size(), queries.rows());
  whitened.noalias() = factor().triangularView<Eigen::Lower>() * block.value;

  Posterior posterior;
  posterior.mean = (block.value.transpose() * alpha).array() + mean_;
  posterior.variance =
      (signal_variance_ - whitened.colwise().squaredNorm().array())
          .max(kMinVariance * signal_variance_)
          .matrix()
          .transpose();
  if (!with_gradients) return posterior;

  const Eigen::MatrixXd mean_weights = alpha.asDiagonal() * block.slope;
  posterior.mean_gradient = Gradient(mean_weights, scaled, queries.cols());
  Eigen::MatrixXd solved(size(), queries.rows());
  solved.noalias() =
      factor().transpose().triangularView<Eigen::Upper>() * whitened;
  const Eigen::MatrixXd variance_weights = solved.cwiseProduct(block.slope);
  posterior.variance_gradient =
      -2 * Gradient(variance_weights, scaled, queries.cols());
  return posterior;
}

Posterior GaussianProcess::PredictMean(
    const Eigen::Ref<const Eigen::MatrixXd>& queries,
    bool with_gradients) const {
  const Eigen::MatrixXd scaled = Scaled(queries);
  const KernelBlock block = ComputeMatern52(inputs(), scaled, signal_variance_);
  Posterior posterior;
  posterior.mean = (block.value.transpose() * alpha()).array() + mean_;
  if (with_gradients) {
    const Eigen::MatrixXd weights = alpha().asDiagonal() * block.slope;
    posterior.mean_gradient = Gradient(weights, scaled, queries.cols());
  }
  return posterior;
}

// The gradient is dk_i/dx_j = -E_i (x_j - z_ij) / l_j, with x and z in scaled
// units.
Eigen::MatrixXd GaussianProcess::Gradient(const Eigen::MatrixXd& weights,
                                          const Eigen::MatrixXd& scaled,
                                          Eigen::Index num_columns) const {
  const Eigen::VectorXd sums = weights.colwise().sum().transpose();
  Eigen::MatrixXd result = weights.transpose() * inputs();
  result -= sums.asDiagonal() * scaled;
  result.array().rowwise() *= inverse_length_scales_.array();
  result.conservativeResize(Eigen::NoChange, num_columns);
  return result;
}

Eigen::MatrixXd GaussianProcess::Covariance(
    const Eigen::Ref<const Eigen::MatrixXd>& queries) const {
  const Eigen::MatrixXd scaled = Scaled(queries);
  return ComputeMatern52(scaled, inputs(), signal_variance_).value;
}

Eigen::MatrixXd GaussianProcess::Solve(
    const Eigen::Ref<const Eigen::MatrixXd>& columns) const {
  const Eigen::MatrixXd whitened =
      factor().triangularView<Eigen::Lower>() * columns;
  return factor().transpose().triangularView<Eigen::Upper>() * whitened;
}

Eigen::VectorXd GaussianProcess::InverseDiagonal() const {
  // (K + noise)^-1 is the square of the factor's transpose.
  return factor().colwise().squaredNorm().transpose();
}

}  // namespace vernier
