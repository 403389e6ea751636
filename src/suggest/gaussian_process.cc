#include "suggest/gaussian_process.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "study/status_macros.h"
#include "suggest/triangular_inverse.h"

namespace vernier {
namespace {

constexpr double kJitters[] = {0, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3};

// Relative to the signal variance. Below it a variance is rounding.
constexpr double kMinVariance = 1e-12;
constexpr double kMinPivot = 1e-10;

// In noise, one pending trial must be enough to make its place look known;
// else all parallel trials pile up there (Vizier's rule and constants).
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
  if (static_cast<Eigen::Index>(data.groups.group_of_column.size()) !=
          data.inputs.cols() ||
      theta.size() != data.groups.size() + 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "length scales do not match the inputs: columns=", data.inputs.cols(),
        " hyperparameters=", theta.size()));
  }
  if (!data.inputs.allFinite() || !data.targets.allFinite() ||
      !data.noise_scale.allFinite() || !theta.allFinite()) {
    return absl::InvalidArgumentError(
        "inputs, targets, noise scales and hyperparameters must be finite");
  }
  return absl::OkStatus();
}

// Fills mean and alpha. The mean maximises the likelihood times its prior.
void SolveForTargets(const Eigen::VectorXd& targets,
                     FactorizedCovariance* result) {
  const Eigen::TriangularView<const Eigen::MatrixXd, Eigen::Lower> factor(
      result->inverse_factor);
  const Eigen::VectorXd whitened_ones =
      factor * Eigen::VectorXd::Ones(targets.size());
  const Eigen::VectorXd whitened = factor * targets;
  result->mean = whitened_ones.dot(whitened) /
                 (whitened_ones.squaredNorm() + 1 / kMeanPriorVariance);
  result->alpha =
      factor.transpose() * (whitened - result->mean * whitened_ones);
}

}  // namespace

absl::StatusOr<FactorizedCovariance> Factorize(
    const RegressionData& data, const LogHyperparameters& theta) {
  FactorizedCovariance result;
  const double signal_variance = SignalVariance(theta);
  result.scaled_inputs = data.inputs.array().rowwise() *
                         InverseLengthScales(data.groups, theta).array();
  // Distances do not change, and are more exact about the centre.
  result.scaled_inputs.rowwise() -=
      Eigen::RowVectorXd(result.scaled_inputs.colwise().mean());
  result.kernel = ComputeMatern52(result.scaled_inputs, signal_variance);
  for (const double jitter : kJitters) {
    result.noise_variance = NoiseVariance(theta) * data.noise_scale.array() +
                            jitter * signal_variance;
    Eigen::MatrixXd& factor = result.inverse_factor;
    factor = result.kernel.value;
    factor.diagonal() += result.noise_variance;
    // In place: on return the lower triangle is L.
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(factor);
    if (cholesky.info() != Eigen::Success || !factor.allFinite()) continue;
    result.half_log_determinant = factor.diagonal().array().log().sum();
    InvertLowerTriangle(factor);
    factor.triangularView<Eigen::StrictlyUpper>().setZero();
    SolveForTargets(data.targets, &result);
    return result;
  }
  return absl::InternalError(absl::StrCat(
      "the covariance matrix stays indefinite with jitter 1e-3: n=",
      data.inputs.rows(), " signal_variance=", signal_variance,
      " noise_variance=", NoiseVariance(theta)));
}

absl::StatusOr<GaussianProcess> GaussianProcess::Create(
    const RegressionData& data, const LogHyperparameters& theta) {
  VERNIER_RETURN_IF_ERROR(CheckShapes(data, theta));
  VERNIER_ASSIGN_OR_RETURN(FactorizedCovariance factorized,
                           Factorize(data, theta));
  GaussianProcess gp;
  gp.inverse_length_scales_ = InverseLengthScales(data.groups, theta);
  gp.signal_variance_ = SignalVariance(theta);
  const double noise_variance = NoiseVariance(theta);
  gp.hallucinated_noise_variance_ =
      gp.signal_variance_ / noise_variance < kNoisySignalToNoise
          ? kNoisyHallucinatedNoise
          : noise_variance;
  gp.mean_ = factorized.mean;
  gp.scaled_inputs_ =
      data.inputs.array().rowwise() * gp.inverse_length_scales_.array();
  gp.fitted_means_ =
      data.targets - factorized.noise_variance.cwiseProduct(factorized.alpha);
  gp.alpha_ = std::move(factorized.alpha);
  gp.inverse_factor_ = std::move(factorized.inverse_factor);
  return gp;
}

// Appends a row to L^-1. Always one at a time and to matrices of exactly the
// right size, so that a batch and single calls round alike.
void GaussianProcess::Hallucinate(const Eigen::RowVectorXd& row) {
  const Eigen::Index n = size();
  const Eigen::MatrixXd scaled = row.cwiseProduct(inverse_length_scales_);
  const KernelBlock block =
      ComputeMatern52(scaled_inputs_, scaled, signal_variance_);
  const Eigen::VectorXd column =
      inverse_factor_.triangularView<Eigen::Lower>() * block.value.col(0);
  const double pivot = std::sqrt(std::max(
      signal_variance_ + hallucinated_noise_variance_ - column.squaredNorm(),
      kMinPivot * signal_variance_));
  const Eigen::VectorXd last =
      inverse_factor_.triangularView<Eigen::Lower>().transpose() * column;

  scaled_inputs_.conservativeResize(n + 1, Eigen::NoChange);
  scaled_inputs_.row(n) = scaled;
  alpha_.conservativeResize(n + 1);
  alpha_[n] = 0;
  inverse_factor_.conservativeResize(n + 1, n + 1);
  inverse_factor_.col(n).setZero();
  inverse_factor_.row(n).head(n) = -last.transpose() / pivot;
  inverse_factor_(n, n) = 1 / pivot;
}

Posterior GaussianProcess::Predict(
    const Eigen::Ref<const Eigen::MatrixXd>& queries,
    bool with_gradients) const {
  const Eigen::MatrixXd scaled =
      queries.array().rowwise() * inverse_length_scales_.array();
  KernelBlock block = ComputeMatern52(scaled_inputs_, scaled, signal_variance_);
  Eigen::MatrixXd whitened(size(), queries.rows());
  whitened.noalias() =
      inverse_factor_.triangularView<Eigen::Lower>() * block.value;

  Posterior posterior;
  posterior.mean = (block.value.transpose() * alpha_).array() + mean_;
  posterior.variance =
      (signal_variance_ - whitened.colwise().squaredNorm().array())
          .max(kMinVariance * signal_variance_)
          .matrix()
          .transpose();
  if (!with_gradients) return posterior;

  // dk_i/dx_j = -E_i (x_j - z_ij) / l_j, with x and z in scaled units.
  const auto gradient = [&](const Eigen::MatrixXd& weights) {
    const Eigen::VectorXd sums = weights.colwise().sum().transpose();
    Eigen::MatrixXd result = weights.transpose() * scaled_inputs_;
    result -= sums.asDiagonal() * scaled;
    return Eigen::MatrixXd(result.array().rowwise() *
                           inverse_length_scales_.array());
  };
  const Eigen::MatrixXd mean_weights = alpha_.asDiagonal() * block.slope;
  posterior.mean_gradient = gradient(mean_weights);
  Eigen::MatrixXd solved(size(), queries.rows());
  solved.noalias() =
      inverse_factor_.triangularView<Eigen::Lower>().transpose() * whitened;
  const Eigen::MatrixXd variance_weights = solved.cwiseProduct(block.slope);
  posterior.variance_gradient = -2 * gradient(variance_weights);
  return posterior;
}

}  // namespace vernier
