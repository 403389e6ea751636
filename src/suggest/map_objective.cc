#include "suggest/map_objective.h"

#include "study/status_macros.h"
#include "suggest/gaussian_process.h"
#include "suggest/triangular_inverse.h"

namespace vernier {
namespace {

// With W = a a' - (K+N)^-1, the derivative of the log likelihood is
// tr(W dK) / 2. For a length scale, dk/d(ln l) = E d^2, and the sum over pairs
// of W E (z_i - z_i')^2 is two products with G = W o E instead of a loop over
// pairs and columns.
Eigen::VectorXd LikelihoodGradient(const RegressionData& data,
                                   const LogHyperparameters& theta,
                                   const FactorizedCovariance& factorized) {
  const Eigen::Index p = data.groups.size();
  Eigen::MatrixXd weights = factorized.inverse_factor;
  SquareLowerTriangle(weights);
  weights.triangularView<Eigen::StrictlyUpper>() = weights.transpose();
  const Eigen::VectorXd& alpha = factorized.alpha;
  weights = alpha * alpha.transpose() - weights;

  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(p + 2);
  gradient[p] = 0.5 * weights.cwiseProduct(factorized.kernel.value).sum();
  gradient[p + 1] =
      0.5 * NoiseVariance(theta) * weights.diagonal().dot(data.noise_scale);

  weights.array() *= factorized.kernel.slope.array();
  weights.diagonal().setZero();
  const Eigen::MatrixXd& inputs = factorized.scaled_inputs;
  const Eigen::VectorXd sums = weights.rowwise().sum();
  Eigen::MatrixXd product(inputs.rows(), inputs.cols());
  product.noalias() = weights * inputs;
  const Eigen::RowVectorXd by_column =
      sums.transpose() * inputs.cwiseAbs2() -
      inputs.cwiseProduct(product).colwise().sum();
  for (Eigen::Index j = 0; j < by_column.size(); ++j) {
    gradient[data.groups.group_of_column[static_cast<std::size_t>(j)]] +=
        by_column[j];
  }
  return gradient;
}

}  // namespace

absl::StatusOr<double> EvaluateMapObjective(const RegressionData& data,
                                            const HyperparameterPrior& prior,
                                            const LogHyperparameters& theta,
                                            Eigen::VectorXd* gradient) {
  VERNIER_ASSIGN_OR_RETURN(const FactorizedCovariance factorized,
                           Factorize(data, theta));
  const Eigen::VectorXd deviation =
      (theta - prior.mean).cwiseQuotient(prior.deviation);
  if (gradient != nullptr) {
    *gradient = deviation.cwiseQuotient(prior.deviation) -
                LikelihoodGradient(data, theta, factorized);
  }
  const Eigen::VectorXd residual = data.targets.array() - factorized.mean;
  return 0.5 * residual.dot(factorized.alpha) +
         factorized.half_log_determinant +
         factorized.mean * factorized.mean / (2 * kMeanPriorVariance) +
         0.5 * deviation.squaredNorm();
}

}  // namespace vernier
