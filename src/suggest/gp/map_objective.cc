#include "suggest/gp/map_objective.h"

#include "base/status_macros.h"
#include "suggest/gp/triangular_inverse.h"

namespace vernier {

// With W = a a' - (K+N)^-1, the derivative of the log likelihood is tr(W dK) /
// 2. For a length scale, dk/d(ln l) = E d^2. The sum over pairs of W E (z_i -
// z_i')^2 is computed as two products with G = W o E instead of a loop over
// pairs and columns. All of these are symmetric, so lower triangles suffice.
Eigen::VectorXd MapObjective::LikelihoodGradient(
    const LogHyperparameters& theta) {
  const Eigen::Index n = data_.inputs.rows();
  const Eigen::Index columns = data_.inputs.cols();
  const Eigen::Index p = data_.groups.size();
  const Eigen::VectorXd& alpha = factorized_.alpha;
  const KernelBlock& kernel = factorized_.kernel;

  // This holds (K+N)^-1, which becomes G column by column.
  Eigen::MatrixXd& weights = factorized_.inverse_factor;
  SquareLowerTriangle(weights);
  const Eigen::VectorXd diagonal =
      alpha.cwiseAbs2() - weights.diagonal();  // Of W.
  double below = 0;                            // Of W o K, summed.
  for (Eigen::Index j = 0; j < n; ++j) {
    const Eigen::Index rest = n - j - 1;
    auto column = weights.col(j).tail(rest);
    column = alpha[j] * alpha.tail(rest) - column;
    below += column.dot(kernel.value.col(j).tail(rest));
    column = column.cwiseProduct(kernel.slope.col(j).tail(rest));
  }
  weights.diagonal().setZero();

  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(p + 2);
  gradient[p] = below + 0.5 * diagonal.dot(kernel.value.diagonal());
  gradient[p + 1] =
      0.5 * NoiseVariance(theta) * diagonal.dot(data_.noise_scale);

  Eigen::MatrixXd right(n, columns + 1);
  right << factorized_.scaled_inputs, Eigen::VectorXd::Ones(n);
  Eigen::MatrixXd product(n, columns + 1);
  product.noalias() = weights.selfadjointView<Eigen::Lower>() * right;
  const auto inputs = right.leftCols(columns);
  const Eigen::RowVectorXd by_column =
      product.col(columns).transpose() * inputs.cwiseAbs2() -
      inputs.cwiseProduct(product.leftCols(columns)).colwise().sum();
  for (Eigen::Index j = 0; j < columns; ++j) {
    gradient[data_.groups.group_of_column[static_cast<std::size_t>(j)]] +=
        by_column[j];
  }
  return gradient;
}

absl::StatusOr<double> MapObjective::Evaluate(const LogHyperparameters& theta,
                                              Eigen::VectorXd* gradient) {
  VERNIER_RETURN_IF_ERROR(Factorize(data_, theta, &factorized_));
  const Eigen::VectorXd deviation =
      (theta - prior_.mean).cwiseQuotient(prior_.deviation);
  const Eigen::VectorXd residual = data_.targets.array() - factorized_.mean;
  double value =
      0.5 * residual.dot(factorized_.alpha) + factorized_.half_log_determinant +
      factorized_.mean * factorized_.mean / (2 * kMeanPriorVariance) +
      0.5 * deviation.squaredNorm();
  const double repeats = data_.repeat_squares / (2 * NoiseVariance(theta));
  if (data_.repeat_degrees > 0) {
    value += data_.repeat_degrees / 2 * theta[theta.size() - 1] + repeats;
  }
  if (gradient != nullptr) {
    *gradient =
        deviation.cwiseQuotient(prior_.deviation) - LikelihoodGradient(theta);
    if (data_.repeat_degrees > 0) {
      (*gradient)[theta.size() - 1] += data_.repeat_degrees / 2 - repeats;
    }
  }
  return value;
}

}  // namespace vernier
