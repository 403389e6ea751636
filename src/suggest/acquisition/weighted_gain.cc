#include "suggest/acquisition/weighted_gain.h"

#include <cmath>

namespace vernier {

LogWeight LogWeightOf(const BeliefPrior& beliefs) {
  return std::bind_front(&BeliefPrior::LogDensity, &beliefs);
}

LogWeight LogWeightOf(const FeasibilityModel& feasibility) {
  return std::bind_front(&FeasibilityModel::LogProbability, &feasibility);
}

LogWeight LogWeightOf(const DurationModel& durations) {
  return std::bind_front(&DurationModel::LogDuration, &durations);
}

void WeightedLogGain::Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                               Eigen::VectorXd* values,
                               Eigen::MatrixXd* gradients) const {
  Eigen::VectorXd logs;
  Eigen::MatrixXd log_gradients;
  log_gain_.Evaluate(points, values, gradients);
  weight_(points, &logs, gradients != nullptr ? &log_gradients : nullptr);
  *values += exponent_ * logs;
  if (gradients != nullptr) *gradients += exponent_ * log_gradients;
}

void WeightedBound::Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                             Eigen::VectorXd* values,
                             Eigen::MatrixXd* gradients) const {
  Eigen::VectorXd logs;
  Eigen::MatrixXd log_gradients;
  bound_.Evaluate(points, values, gradients);
  weight_(points, &logs, gradients != nullptr ? &log_gradients : nullptr);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const double weight = std::exp(exponent_ * logs[i]);
    const double lead = weight * ((*values)[i] - worst_);
    (*values)[i] = worst_ + lead;
    if (gradients == nullptr) continue;
    gradients->row(i) =
        weight * gradients->row(i) + exponent_ * lead * log_gradients.row(i);
  }
}

}  // namespace vernier
