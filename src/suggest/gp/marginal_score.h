#ifndef VERNIER_SUGGEST_GP_MARGINAL_SCORE_H_
#define VERNIER_SUGGEST_GP_MARGINAL_SCORE_H_

#include <Eigen/Core>
#include <algorithm>

#include "suggest/gp/gaussian_process.h"

namespace vernier {

/// A function of the posterior marginal at a point, with its derivatives.
struct MarginalScore {
  double value = 0;
  double d_mean = 0;
  double d_variance = 0;
};

/// Applies `score`, (mean, variance) -> MarginalScore, to the posterior at all
/// m `points` (m x D) that `predict`, (points, with_gradients) -> Posterior,
/// gives. Sets `values` (m) and, unless null, `gradients` (m x D). Memory
/// beyond these does not grow with m.
template <typename Predict, typename ScoreFunction>
void ScoreInBatches(const Predict& predict,
                    const Eigen::Ref<const Eigen::MatrixXd>& points,
                    const ScoreFunction& score, Eigen::VectorXd* values,
                    Eigen::MatrixXd* gradients) {
  // Points per matrix product: enough to be efficient, few enough to stay in
  // cache.
  constexpr Eigen::Index kBatchSize = 64;
  values->resize(points.rows());
  if (gradients != nullptr) gradients->resize(points.rows(), points.cols());
  for (Eigen::Index first = 0; first < points.rows(); first += kBatchSize) {
    const Eigen::Index count = std::min(kBatchSize, points.rows() - first);
    const Posterior posterior =
        predict(points.middleRows(first, count), gradients != nullptr);
    for (Eigen::Index i = 0; i < count; ++i) {
      const MarginalScore s = score(posterior.mean[i], posterior.variance[i]);
      (*values)[first + i] = s.value;
      if (gradients == nullptr) continue;
      gradients->row(first + i) =
          s.d_mean * posterior.mean_gradient.row(i) +
          s.d_variance * posterior.variance_gradient.row(i);
    }
  }
}

/// The same for the posterior of `gp`.
template <typename ScoreFunction>
void EvaluateInBatches(const GaussianProcess& gp,
                       const Eigen::Ref<const Eigen::MatrixXd>& points,
                       const ScoreFunction& score, Eigen::VectorXd* values,
                       Eigen::MatrixXd* gradients) {
  const auto predict = [&](const auto& rows, bool with_gradients) {
    return gp.Predict(rows, with_gradients);
  };
  ScoreInBatches(predict, points, score, values, gradients);
}

}  // namespace vernier

#endif  // VERNIER_SUGGEST_GP_MARGINAL_SCORE_H_
