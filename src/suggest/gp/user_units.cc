#include "suggest/gp/user_units.h"

#include <algorithm>
#include <cmath>

namespace vernier {

Prediction InUserUnits(const WarpedObjectives& warp, Goal goal, double mean,
                       double variance) {
  const double deviation = std::sqrt(variance);
  const auto objective = [&](double target) {
    return std::min(warp.Unwarp(target), warp.Furthest());
  };
  const Prediction larger_is_better{objective(mean),
                                    objective(mean - deviation),
                                    objective(mean + deviation)};
  if (goal == Goal::kMaximize) return larger_is_better;
  // Unlike a change of sign, a difference never gives -0.
  return {0 - larger_is_better.mean, 0 - larger_is_better.high,
          0 - larger_is_better.low};
}

Prediction PredictInUserUnits(const SurrogateModel& model, Goal goal,
                              const Eigen::RowVectorXd& row) {
  const Posterior posterior = model.gp.Predict(row, false);
  return InUserUnits(model.data.warp, goal, posterior.mean[0],
                     posterior.variance[0]);
}

}  // namespace vernier
