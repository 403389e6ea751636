#include "suggest/acquisition/constrained_gain.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "suggest/gp/normal_distribution.h"

namespace vernier {
namespace {

// Returns ln Phi(z). Left of 0 it uses the scaled complementary error function,
// which does not underflow.
double LogCumulative(double z) {
  if (z > 0) return std::log(NormalCumulative(z));
  const double u = -z / std::numbers::sqrt2;
  return std::log(0.5 * ScaledErfc(u)) - u * u;
}

}  // namespace

MarginalScore ComputeLogProbabilityAbove(double mean, double variance,
                                         double threshold) {
  const double deviation = std::sqrt(variance);
  const double z = (mean - threshold) / deviation;
  const double slope = InverseMillsRatio(z);  // d ln Phi / d z.
  return {.value = LogCumulative(z),
          .d_mean = slope / deviation,
          .d_variance = -slope * z / (2 * variance)};
}

LogConstrainedGain::LogConstrainedGain(const AcquisitionFunction* log_gain,
                                       std::vector<Constraint> constraints)
    : log_gain_(log_gain), constraints_(std::move(constraints)) {}

void LogConstrainedGain::Evaluate(
    const Eigen::Ref<const Eigen::MatrixXd>& points, Eigen::VectorXd* values,
    Eigen::MatrixXd* gradients) const {
  if (log_gain_ != nullptr) {
    log_gain_->Evaluate(points, values, gradients);
  } else {
    values->setZero(points.rows());
    if (gradients != nullptr) gradients->setZero(points.rows(), points.cols());
  }
  for (const Constraint& constraint : constraints_) {
    const auto score = [&](double mean, double variance) {
      return ComputeLogProbabilityAbove(mean, variance, constraint.threshold);
    };
    Eigen::VectorXd logs;
    Eigen::MatrixXd slopes;
    EvaluateInBatches(*constraint.slack, points, score, &logs,
                      gradients == nullptr ? nullptr : &slopes);
    *values += logs;
    if (gradients != nullptr) *gradients += slopes;
  }
}

}  // namespace vernier
