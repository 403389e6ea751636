#include "suggest/acquisition/gain_per_training.h"

#include <cmath>

#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/gp/marginal_score.h"
#include "suggest/gp/normal_distribution.h"

namespace vernier {

ExpectedPart ComputeExpectedPart(double mean, double variance, double best,
                                 double stopped_part) {
  const double deviation = std::sqrt(variance);
  const double z = (mean - best) / deviation;
  const double saved = 1 - stopped_part;
  const double slope = saved * NormalDensity(z);
  return {.value = stopped_part + saved * NormalCumulative(z),
          .d_mean = slope / deviation,
          .d_variance = -slope * z / (2 * variance)};
}

void LogGainPerTraining::Evaluate(
    const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::VectorXd* values,
    Eigen::MatrixXd* gradients) const {
  const auto score = [this](double mean, double variance) {
    const LogExpectedImprovement gain =
        ComputeLogExpectedImprovement(mean, variance, best_);
    const ExpectedPart part =
        ComputeExpectedPart(mean, variance, best_, stopped_part_);
    return MarginalScore{gain.value - std::log(part.value),
                         gain.d_mean - part.d_mean / part.value,
                         gain.d_variance - part.d_variance / part.value};
  };
  EvaluateInBatches(gp_, points, score, values, gradients);
}

}  // namespace vernier
