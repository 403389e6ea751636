#include "suggest/acquisition/gain_per_cost.h"

namespace vernier {

void LogGainPerCost::Evaluate(const Eigen::Ref<const Eigen::MatrixXd>& points,
                              Eigen::VectorXd* values,
                              Eigen::MatrixXd* gradients) const {
  Eigen::VectorXd logs;
  Eigen::MatrixXd log_gradients;
  log_gain_.Evaluate(points, values, gradients);
  durations_.LogDuration(points, &logs,
                         gradients != nullptr ? &log_gradients : nullptr);
  *values -= weight_ * logs;
  if (gradients != nullptr) *gradients -= weight_ * log_gradients;
}

}  // namespace vernier
