#include "suggest/gp/imputed_targets.h"

#include <algorithm>
#include <cmath>

#include "suggest/gp/normal_distribution.h"

namespace vernier {

using Eigen::Index;

void ImputeCensored(const GaussianProcess& gp, TrainingData* data) {
  RegressionData& all = data->regression;
  const double best = all.targets(UncensoredRows(*data)).maxCoeff();
  const Eigen::MatrixXd places = all.inputs(data->censored, Eigen::all);
  const Posterior posterior = gp.Predict(places, false);
  for (std::size_t i = 0; i < data->censored.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double deviation = std::sqrt(posterior.variance[k]);
    const double z = (best - posterior.mean[k]) / deviation;
    const double ratio = InverseMillsRatio(z);  // Truncated at the best.
    const Index row = data->censored[i];
    all.targets[row] = posterior.mean[k] - deviation * ratio;
    all.known_noise[row] =
        posterior.variance[k] * std::max(0.0, 1 - z * ratio - ratio * ratio);
  }
}

}  // namespace vernier
