#include "suggest/acquisition_function.h"

#include <algorithm>
#include <cmath>

#include "suggest/log_expected_improvement.h"

namespace vernier {
namespace {

// Points per matrix product: enough to fill it, few enough to stay in cache.
constexpr Eigen::Index kBatchSize = 64;

struct Score {
  double value = 0;
  double d_mean = 0;
  double d_variance = 0;
};

// Applies `score`, a function of the posterior marginals at one point, to all.
template <typename ScoreFunction>
void EvaluateInBatches(const GaussianProcess& gp,
                       const Eigen::Ref<const Eigen::MatrixXd>& points,
                       const ScoreFunction& score, Eigen::VectorXd* values,
                       Eigen::MatrixXd* gradients) {
  values->resize(points.rows());
  if (gradients != nullptr) gradients->resize(points.rows(), points.cols());
  for (Eigen::Index first = 0; first < points.rows(); first += kBatchSize) {
    const Eigen::Index count = std::min(kBatchSize, points.rows() - first);
    const Posterior posterior =
        gp.Predict(points.middleRows(first, count), gradients != nullptr);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Score s = score(posterior.mean[i], posterior.variance[i]);
      (*values)[first + i] = s.value;
      if (gradients == nullptr) continue;
      gradients->row(first + i) =
          s.d_mean * posterior.mean_gradient.row(i) +
          s.d_variance * posterior.variance_gradient.row(i);
    }
  }
}

}  // namespace

void LogEiAcquisition::Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                                Eigen::VectorXd* values,
                                Eigen::MatrixXd* gradients) const {
  const auto score = [this](double mean, double variance) {
    const LogExpectedImprovement ei =
        ComputeLogExpectedImprovement(mean, variance, best_);
    return Score{ei.value, ei.d_mean, ei.d_variance};
  };
  EvaluateInBatches(gp_, points, score, values, gradients);
}

void UpperConfidenceBound::Evaluate(
    const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::VectorXd* values,
    Eigen::MatrixXd* gradients) const {
  const auto score = [this](double mean, double variance) {
    const double deviation = std::sqrt(variance);
    return Score{mean + deviations_ * deviation, 1,
                 deviations_ / (2 * deviation)};
  };
  EvaluateInBatches(gp_, points, score, values, gradients);
}

}  // namespace vernier
