#include "suggest/acquisition/feasible_acquisition.h"

#include <cmath>

namespace vernier {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void FeasibleLogGain::Evaluate(const Eigen::Ref<const MatrixXd>& points,
                               VectorXd* values, MatrixXd* gradients) const {
  VectorXd logs;
  MatrixXd log_gradients;
  log_gain_.Evaluate(points, values, gradients);
  feasibility_.LogProbability(points, &logs,
                              gradients != nullptr ? &log_gradients : nullptr);
  *values += caution_ * logs;
  if (gradients != nullptr) *gradients += caution_ * log_gradients;
}

void FeasibleBound::Evaluate(const Eigen::Ref<const MatrixXd>& points,
                             VectorXd* values, MatrixXd* gradients) const {
  VectorXd logs;
  MatrixXd log_gradients;
  bound_.Evaluate(points, values, gradients);
  feasibility_.LogProbability(points, &logs,
                              gradients != nullptr ? &log_gradients : nullptr);
  for (Index i = 0; i < points.rows(); ++i) {
    const double weight = std::exp(caution_ * logs[i]);
    const double lead = weight * ((*values)[i] - worst_);
    (*values)[i] = worst_ + lead;
    if (gradients == nullptr) continue;
    gradients->row(i) =
        weight * gradients->row(i) + caution_ * lead * log_gradients.row(i);
  }
}

}  // namespace vernier
