#include "suggest/acquisition/acquisition_function.h"

#include <cmath>

#include "suggest/acquisition/expected_part.h"
#include "suggest/acquisition/log_expected_improvement.h"
#include "suggest/gp/marginal_score.h"

namespace vernier {

void LogEiAcquisition::Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                                Eigen::VectorXd* values,
                                Eigen::MatrixXd* gradients) const {
  const auto score = [this](double mean, double variance) {
    const MarginalScore ei =
        ComputeLogExpectedImprovement(mean, variance, best_);
    if (stopped_part_ == 1) return ei;
    const MarginalScore part =
        ComputeExpectedPart(mean, variance, best_, stopped_part_);
    return MarginalScore{ei.value - std::log(part.value),
                         ei.d_mean - part.d_mean / part.value,
                         ei.d_variance - part.d_variance / part.value};
  };
  EvaluateInBatches(gp_, points, score, values, gradients);
}

void UpperConfidenceBound::Evaluate(
    const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::VectorXd* values,
    Eigen::MatrixXd* gradients) const {
  const auto score = [this](double mean, double variance) {
    const double deviation = std::sqrt(variance);
    return MarginalScore{mean + deviations_ * deviation, 1,
                         deviations_ / (2 * deviation)};
  };
  EvaluateInBatches(gp_, points, score, values, gradients);
}

}  // namespace vernier
